// Tests the elements "element 0" and so on of a file: check_file FILE COUNT. In a counting filter,
// element i was added 1 + i modulo 16 times. In a window filter, the rings have the number of their
// elements.
package main

import (
	"fmt"
	"os"
	"strconv"

	"example.com/check/bloomgate"
)

func main() {
	plan, err := bloomgate.ReadFilter(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	count, _ := strconv.Atoi(os.Args[2])
	isCounting := plan.Counting
	counted := func(text string) int {
		layer := plan.Layers[0]
		return int(bloomgate.Count(layer.Bitmaps, layer.NumHashFunctions, []byte(text)))
	}
	isIn := func(layer bloomgate.Layer, text string) bool {
		return bloomgate.MightContain(layer.Bitmaps, layer.NumHashFunctions, []byte(text))
	}
	test := func(text string) bool {
		if isCounting {
			return counted(text) > 0
		}
		for _, layer := range plan.Layers {
			if isIn(layer, text) {
				return true
			}
		}
		return false
	}
	others, exact := 0, 0
	for i := 0; i < count; i++ {
		if !test(fmt.Sprintf("element %d", i)) {
			fmt.Println("missing", i)
			os.Exit(1)
		}
		if isCounting {
			added := 1 + i%16
			if added > 15 {
				added = 15
			}
			found := counted(fmt.Sprintf("element %d", i))
			if found < added {
				fmt.Println("too few", i)
				os.Exit(1)
			}
			if found == added {
				exact++
			}
		}
		if test(fmt.Sprintf("other %d", i)) {
			others++
		}
	}
	if isCounting && exact < count*9/10 {
		fmt.Println("too many", exact)
		os.Exit(1)
	}
	elements := uint64(0)
	for _, rings := range plan.Rings {
		for _, ring := range rings {
			elements += ring.Elements
		}
	}
	if plan.Window != nil && (int(elements) > count || int(elements) < count*19/20) {
		fmt.Println("other rings", elements)
		os.Exit(1)
	}
	if others > count/10 {
		fmt.Println("too many others", others)
		os.Exit(1)
	}
	fmt.Printf("%d elements found\n", count)
}
