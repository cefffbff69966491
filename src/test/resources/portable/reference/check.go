// Tests elements against a file: check FILE COUNT, with "element 0" and on in it.
package main

import (
	"fmt"
	"os"
	"strconv"

	"example.com/check/bloomgate"
)

func main() {
	header, err := bloomgate.ReadFilter(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	count, _ := strconv.Atoi(os.Args[2])
	test := func(text string) bool {
		for _, layer := range header.Layers {
			if bloomgate.MightContain(layer.Bitmaps, layer.NumHashFunctions, []byte(text)) {
				return true
			}
		}
		return false
	}
	others := 0
	for i := 0; i < count; i++ {
		if !test(fmt.Sprintf("element %d", i)) {
			fmt.Println("missing", i)
			os.Exit(1)
		}
		if test(fmt.Sprintf("other %d", i)) {
			others++
		}
	}
	if others > count/10 {
		fmt.Println("too many others", others)
		os.Exit(1)
	}
	fmt.Printf("%d elements found\n", count)
}
