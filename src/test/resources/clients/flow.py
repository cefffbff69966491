"""A program for a generated client."""

import sys

import bloomgate
from bloomgate import ElementsRequest, FiltersRequest

client = bloomgate.ApiClient(bloomgate.Configuration(host=sys.argv[1]))
name = sys.argv[2]
filters = bloomgate.FiltersApi(client)
elements = bloomgate.ElementsApi(client)
rebuilds = bloomgate.RebuildsApi(client)


def expect(value, expected):
    assert value == expected, f"expected {expected!r}, got {value!r}"


made = filters.create_filter(name, bloomgate.CreateFilterRequest(expected_insertions=1000))
expect(made.hash_scheme, bloomgate.HashScheme.BLOOMGATE_MINUS_1)
two = ElementsRequest(elements=["616c696365", "626f62"], encoding=bloomgate.ElementEncoding.HEX)
expect(elements.add_elements(name, two).added, [True, True])
expect(elements.add_elements(name, two, var_return="summary").added_count, 0)
asked = ElementsRequest(elements=["alice", "carol"])
expect(elements.test_elements(name, asked).might_contain, [True, False])
expect(elements.test_elements(name, asked, var_return="absent").elements, ["carol"])
expect(elements.test_few_elements(name, ["bob"]).might_contain_count, 1)
elements.check_gate(name, "bob")

other = name + ".other"
filters.create_filter(other, bloomgate.CreateFilterRequest(expected_insertions=1000))
several = FiltersRequest(filters=[name, other], elements=["alice", "dave"])
expect(elements.add_to_filters(several).added, {name: [False, True], other: [True, True]})
several = FiltersRequest(filters=[name, other], elements=["bob", "dave", "carol"])
found = elements.test_elements_in_filters(several)
expect(found.might_contain, {name: [True, True, False], other: [False, True, False]})
expect((found.any, found.all), ([True, True, False], [False, True, False]))
few = elements.test_few_elements_in_filters([name, name + ".none"], ["bob"], missing="ignore")
expect((few.all, few.missing), ([True], [name + ".none"]))
elements.check_gate_for_filters([name, other], "dave", match="all")
filters.delete_filter(other)
assert filters.describe_service().filters > 0
expect(filters.list_filters(prefix=name, figures=True).filters[0].figures.source, None)

filters.set_expiry(name, bloomgate.ExpiryRequest(ttl_seconds=600))
assert filters.describe_filter(name).expires_at is not None
expect(filters.remove_expiry(name).expires_at, None)
expect(filters.list_filters(prefix=name).filters[0].name, name)
renamed = name + ".renamed"
expect(filters.rename_filter(name, bloomgate.RenameRequest(to=renamed)).name, renamed)
filters.probe_filter(renamed)

rebuilds.open_rebuild(renamed, bloomgate.RebuildRequest(expected_insertions=2000))
rebuilds.load_elements(renamed, asked)
expect(filters.describe_filter(renamed).rebuild.elements_received, 2)
expect(rebuilds.commit_rebuild(renamed).insertions, 2)
expect(rebuilds.replace_elements(renamed, "dave\nerin\nfrank\n").insertions, 3)
assert filters.import_filter(renamed + ".copy", filters.export_filter(renamed)).insertions == 3
bloomgate.SizingApi(client).calculate_size(expected_insertions=1000, false_positive_probability=0.01)

filters.delete_filter(renamed + ".copy")
filters.delete_filter(renamed)
try:
    filters.describe_filter(renamed)
    raise AssertionError("the filter should be gone")
except bloomgate.exceptions.NotFoundException as gone:
    expect(gone.data.code, "FILTER_NOT_FOUND")
print("done")
