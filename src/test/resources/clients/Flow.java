import bloomgate.ApiClient;
import bloomgate.ApiException;
import bloomgate.api.ElementsApi;
import bloomgate.api.FiltersApi;
import bloomgate.api.RebuildsApi;
import bloomgate.api.SizingApi;
import bloomgate.model.CreateFilterRequest;
import bloomgate.model.ElementEncoding;
import bloomgate.model.ElementsRequest;
import bloomgate.model.ExpiryRequest;
import bloomgate.model.FiltersRequest;
import bloomgate.model.HashScheme;
import bloomgate.model.RebuildRequest;
import bloomgate.model.RenameRequest;
import java.util.List;
import java.util.Map;

/** A program for a generated client, the same for both Java libraries. */
public class Flow {

  public static void main(String[] arguments) throws ApiException {
    var client = new ApiClient();
    client.setAddress(arguments[0]);
    var name = arguments[1];
    var filters = new FiltersApi(client);
    var elements = new ElementsApi(client);
    var rebuilds = new RebuildsApi(client);

    var made = filters.createFilter(name, new CreateFilterRequest().expectedInsertions(1000L));
    expect(made.getHashScheme(), HashScheme.BLOOMGATE_1);
    var two =
        new ElementsRequest()
            .elements(List.of("616c696365", "626f62"))
            .encoding(ElementEncoding.HEX);
    expect(
        elements.addElements(name, two, null, null, null, null, null, null).getAdded(),
        List.of(true, true));
    expect(
        elements.addElements(name, two, "summary", null, null, null, null, null).getAddedCount(),
        0L);
    var asked = new ElementsRequest().elements(List.of("alice", "carol"));
    expect(
        elements.testElements(name, asked, null, null, null, null).getMightContain(),
        List.of(true, false));
    expect(
        elements.testElements(name, asked, "absent", null, null, null).getElements(),
        List.of("carol"));
    expect(elements.testFewElements(name, List.of("bob"), null, null).getMightContainCount(), 1L);
    elements.checkGate(name, "bob", null, null, null, null, null);

    var counting = name + ".counting";
    filters.createFilter(
        counting, new CreateFilterRequest().expectedInsertions(1000L).counting(true));
    elements.addElements(counting, two, null, null, null, null, null, null);
    expect(elements.countElements(counting, asked, null).getCounts(), List.of(1, 0));
    expect(
        elements.removeElements(counting, asked, null, null, null, null).getRemoved(),
        List.of(true, false));

    var both = List.of(name, counting);
    var several = new FiltersRequest().filters(both).elements(List.of("alice", "dave"));
    expect(
        elements.addToFilters(several, null, null, null, null).getAdded(),
        Map.of(name, List.of(false, true), counting, List.of(true, true)));
    several = new FiltersRequest().filters(both).elements(List.of("dave", "carol"));
    var found = elements.testElementsInFilters(several, null, null, null, null, null);
    expect(
        found.getMightContain(),
        Map.of(name, List.of(true, false), counting, List.of(true, false)));
    expect(found.getAny(), List.of(true, false));
    expect(found.getAll(), List.of(true, false));
    var few =
        elements.testFewElementsInFilters(
            List.of(name, name + ".none"), List.of("bob"), "ignore", null, null);
    expect(few.getAll(), List.of(true));
    expect(few.getMissing(), List.of(name + ".none"));
    elements.checkGateForFilters(both, "dave", "all", null, null, null, null, null, null);
    filters.deleteFilter(counting, null);
    expect(filters.describeService().getFilters() > 0, true);
    expect(filters.describeService().getOperations(), List.of());
    var figures = filters.listFilters(null, true, 10L, name).getFilters().get(0).getFigures();
    expect(figures.getSource(), null);

    filters.setExpiry(name, new ExpiryRequest().ttlSeconds(600L));
    expect(filters.describeFilter(name).getExpiresAt() != null, true);
    expect(filters.removeExpiry(name).getExpiresAt(), null);
    expect(filters.listFilters(null, null, 10L, name).getFilters().get(0).getName(), name);
    var renamed = name + ".renamed";
    expect(filters.renameFilter(name, new RenameRequest().to(renamed)).getName(), renamed);
    filters.probeFilter(renamed);

    rebuilds.openRebuild(renamed, new RebuildRequest().expectedInsertions(2000L));
    rebuilds.loadElements(renamed, asked, null, null, null, null);
    expect(filters.describeFilter(renamed).getRebuild().getElementsReceived(), 2L);
    expect(rebuilds.commitRebuild(renamed, null, null).getInsertions(), 2L);
    var streamed =
        rebuilds.replaceElements(
            renamed, "dave\nerin\nfrank\n", null, null, null, null, null, null);
    expect(streamed.getInsertions(), 3L);
    new SizingApi(client)
        .calculateSize(null, null, 1000L, 0.01, null, null, null, null, null, null, null, null);

    filters.deleteFilter(renamed, null);
    try {
      filters.describeFilter(renamed);
      throw new AssertionError("the filter should be gone");
    } catch (ApiException gone) {
      expect(gone.getCode(), 404);
      expect(gone.getResponseBody().contains("FILTER_NOT_FOUND"), true);
    }
    System.out.println("done");
  }

  private static void expect(Object is, Object expected) {
    if (!java.util.Objects.equals(is, expected)) {
      throw new AssertionError("expected " + expected + ", got " + is);
    }
  }
}
