// A program for a generated client.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"reflect"

	"example.com/shop/bloomgate"
)

func expect(value, expected any, err error) {
	if err != nil {
		log.Fatal(err)
	}
	if !reflect.DeepEqual(value, expected) {
		log.Fatalf("expected %v, got %v", expected, value)
	}
}

func main() {
	configuration := bloomgate.NewConfiguration()
	configuration.Servers[0].URL = os.Args[1]
	client := bloomgate.NewAPIClient(configuration)
	name := os.Args[2]
	ctx := context.Background()
	filters, elements, rebuilds := client.FiltersAPI, client.ElementsAPI, client.RebuildsAPI

	create := bloomgate.CreateFilterRequest{ExpectedInsertions: bloomgate.PtrInt64(1000)}
	made, _, err := filters.CreateFilter(ctx, name).CreateFilterRequest(create).Execute()
	expect(made.GetHashScheme(), bloomgate.BLOOMGATE_1, err)
	two := bloomgate.ElementsRequest{Elements: []string{"616c696365", "626f62"}, Encoding: bloomgate.HEX.Ptr()}
	added, _, err := elements.AddElements(ctx, name).ElementsRequest(two).Execute()
	expect(added.Added, []bool{true, true}, err)
	asked := bloomgate.ElementsRequest{Elements: []string{"alice", "carol"}}
	tested, _, err := elements.TestElements(ctx, name).ElementsRequest(asked).Return_("absent").Execute()
	expect(tested.Elements, []string{"carol"}, err)
	_, err = elements.CheckGate(ctx, name).Element("bob").Execute()
	expect(nil, nil, err)
	overview, _, err := filters.DescribeService(ctx).Execute()
	expect(overview.Filters > 0, true, err)
	page, _, err := filters.ListFilters(ctx).Prefix(name).Figures(true).Execute()
	expect(page.Filters[0].Figures.Rebuilding, false, err)
	_, _, err = rebuilds.OpenRebuild(ctx, name).Execute()
	expect(nil, nil, err)
	_, _, err = rebuilds.LoadElements(ctx, name).ElementsRequest(asked).Execute()
	expect(nil, nil, err)
	committed, _, err := rebuilds.CommitRebuild(ctx, name).Execute()
	expect(committed.Insertions, int64(2), err)
	_, err = filters.DeleteFilter(ctx, name).Execute()
	expect(nil, nil, err)
	_, response, err := filters.DescribeFilter(ctx, name).Execute()
	if err == nil {
		log.Fatal("the filter should be gone")
	}
	expect(response.StatusCode, 404, nil)
	fmt.Println("done")
}
