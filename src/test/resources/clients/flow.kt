import bloomgate.apis.ElementsApi
import bloomgate.apis.ElementsApi.ReturningTestElements
import bloomgate.apis.FiltersApi
import bloomgate.apis.RebuildsApi
import bloomgate.infrastructure.ClientException
import bloomgate.models.CreateFilterRequest
import bloomgate.models.ElementEncoding
import bloomgate.models.ElementsRequest
import bloomgate.models.HashScheme

// A program for a generated client.
fun main(arguments: Array<String>) {
    val (service, name) = arguments
    val filters = FiltersApi(service)
    val elements = ElementsApi(service)
    val rebuilds = RebuildsApi(service)

    val made = filters.createFilter(name, CreateFilterRequest(expectedInsertions = 1000))
    expect(made.hashScheme, HashScheme.bloomgateMinus1)
    val two = ElementsRequest(listOf("616c696365", "626f62"), ElementEncoding.hex)
    expect(elements.addElements(name, two).added, listOf(true, true))
    val asked = ElementsRequest(listOf("alice", "carol"))
    expect(elements.testElements(name, asked, ReturningTestElements.absent).elements, listOf("carol"))
    elements.checkGate(name, "bob")
    expect(filters.describeService().filters >= 1, true)
    val figures = filters.listFilters(prefix = name, figures = true).filters[0].figures
    expect(figures?.source, null)
    rebuilds.openRebuild(name)
    rebuilds.loadElements(name, asked)
    expect(rebuilds.commitRebuild(name).insertions, 2L)
    filters.deleteFilter(name)
    try {
        filters.describeFilter(name)
        throw AssertionError("the filter should be gone")
    } catch (gone: ClientException) {
        expect(gone.statusCode, 404)
    }
    println("done")
}

fun expect(value: Any?, expected: Any?) {
    if (value != expected) throw AssertionError("expected $expected, got $value")
}
