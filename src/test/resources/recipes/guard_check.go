// Prints which requests guard.go passes.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"check/guard"
)

func main() {
	log.SetOutput(io.Discard)
	product := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "a product") })
	id := func(r *http.Request) string { return r.URL.Query().Get("id") }
	for _, filter := range []string{"recipe-guard", "recipe-no-filter"} {
		for _, open := range []bool{true, false} {
			guarded := guard.Guard{Filter: filter, URL: os.Args[1], FailOpen: open, ElementOf: id}.Handler(product)
			for _, query := range []string{"?id=a+known/one", "?id=another", ""} {
				answer := httptest.NewRecorder()
				guarded.ServeHTTP(answer, httptest.NewRequest("GET", "/"+query, nil))
				fmt.Print(answer.Code, " ")
			}
		}
	}
}
