// A program for a generated client.
import { Configuration, ElementEncoding, ElementsApi, FiltersApi, HashScheme, RebuildsApi, ResponseError, SizingApi } from './client';

declare const process: { argv: string[] };

const [, , basePath, name] = process.argv as [string, string, string, string];
const configuration = new Configuration({ basePath });
const filters = new FiltersApi(configuration);
const elements = new ElementsApi(configuration);
const rebuilds = new RebuildsApi(configuration);

function expect(value: unknown, expected: unknown): void {
  if (JSON.stringify(value) !== JSON.stringify(expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(value)}`);
  }
}

async function main(): Promise<void> {
  const made = await filters.createFilter({ name, createFilterRequest: { expectedInsertions: 1000 } });
  expect(made.hashScheme, HashScheme.Bloomgate1);
  const two = { name, elementsRequest: { elements: ['616c696365', '626f62'], encoding: ElementEncoding.Hex } };
  expect((await elements.addElements(two)).added, [true, true]);
  expect((await elements.addElements({ ...two, _return: 'summary' })).addedCount, 0);
  const asked = { name, elementsRequest: { elements: ['alice', 'carol'] } };
  expect((await elements.testElements(asked)).mightContain, [true, false]);
  expect((await elements.testElements({ ...asked, _return: 'absent' })).elements, ['carol']);
  expect((await elements.testFewElements({ name, element: ['bob'] })).mightContainCount, 1);
  await elements.checkGate({ name, element: 'bob' });

  const counting = `${name}.counting`;
  await filters.createFilter({ name: counting, createFilterRequest: { expectedInsertions: 1000, counting: true } });
  await elements.addElements({ ...two, name: counting });
  expect((await elements.countElements({ ...asked, name: counting })).counts, [1, 0]);
  expect((await elements.removeElements({ ...asked, name: counting })).removed, [true, false]);

  const both = [name, counting];
  expect((await elements.addToFilters({ filtersRequest: { filters: both, elements: ['alice', 'dave'] } })).added,
    { [name]: [false, true], [counting]: [true, true] });
  const found = await elements.testElementsInFilters({ filtersRequest: { filters: both, elements: ['dave', 'carol'] } });
  expect(found.mightContain, { [name]: [true, false], [counting]: [true, false] });
  expect([found.any, found.all], [[true, false], [true, false]]);
  const few = await elements.testFewElementsInFilters({ filter: [name, `${name}.none`], element: ['bob'], missing: 'ignore' });
  expect([few.all, few.missing], [[true], [`${name}.none`]]);
  await elements.checkGateForFilters({ filter: both, element: 'dave', match: 'all' });
  await filters.deleteFilter({ name: counting });
  expect((await filters.describeService()).filters > 0, true);
  expect((await filters.listFilters({ prefix: name, figures: true })).filters[0]?.figures?.source, undefined);

  await filters.setExpiry({ name, expiryRequest: { ttlSeconds: 600 } });
  expect((await filters.describeFilter({ name })).expiresAt instanceof Date, true);
  expect((await filters.removeExpiry({ name })).expiresAt, null);
  expect((await filters.listFilters({ prefix: name })).filters[0]?.name, name);
  const renamed = `${name}.renamed`;
  expect((await filters.renameFilter({ name, renameRequest: { to: renamed } })).name, renamed);
  await filters.probeFilter({ name: renamed });

  await rebuilds.openRebuild({ name: renamed, rebuildRequest: { expectedInsertions: 2000 } });
  await rebuilds.loadElements({ ...asked, name: renamed });
  expect((await filters.describeFilter({ name: renamed })).rebuild?.elementsReceived, 2);
  expect((await rebuilds.commitRebuild({ name: renamed })).insertions, 2);
  expect((await rebuilds.replaceElements({ name: renamed, body: 'dave\nerin\nfrank\n' })).insertions, 3);
  const file = await filters.exportFilter({ name: renamed });
  expect((await filters.importFilter({ name: `${renamed}.copy`, body: file })).insertions, 3);
  await new SizingApi(configuration).calculateSize({ expectedInsertions: 1000, falsePositiveProbability: 0.01 });

  await filters.deleteFilter({ name: `${renamed}.copy` });
  await filters.deleteFilter({ name: renamed });
  try {
    await filters.describeFilter({ name: renamed });
    throw new Error('the filter should be gone');
  } catch (gone) {
    expect(gone instanceof ResponseError && gone.response.status, 404);
    expect((await (gone as ResponseError).response.json()).code, 'FILTER_NOT_FOUND');
  }
  console.log('done');
}

main();
