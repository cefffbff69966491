local cost = '$1\\'
