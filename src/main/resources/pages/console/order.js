// In which order the filters that are shown stand.

const LAST = Number.POSITIVE_INFINITY;

/** What comes first has the smallest number. */
const KEYS = {
  name: () => 0,
  trouble: (filter, row) => -row.querySelectorAll('.badge.damaged').length,
  fullness: ({ figures }) => {
    if (!figures || figures.fillRatio === null) {
      return LAST;
    }
    return figures.approximateElementCount === null
      ? -LAST : -figures.approximateElementCount / figures.expectedInsertions;
  },
  rate: ({ figures, falsePositiveProbability }) => (
    figures?.fillRatio == null ? LAST : -figures.estimatedFalsePositiveProbability / falsePositiveProbability),
  memory: (filter) => -(filter.sizeBytes ?? 0),
  deadline: (filter) => (filter.expiresAt ? Date.parse(filter.expiresAt) : LAST),
};

const filters = new WeakMap();

/** Notes what a row is about. */
export function isAbout(row, filter) {
  filters.set(row, filter);
}

/** The rows by one of the keys, and those that are equal by their names, as the service has them. */
export function ordered(rows, by) {
  const key = (row) => KEYS[by](filters.get(row), row);
  const byName = (one, other) => (filters.get(one).name < filters.get(other).name ? -1 : 1);
  return rows
    .map((row) => [key(row), row])
    .sort(([a, one], [b, other]) => (a === b ? byName(one, other) : a < b ? -1 : 1))
    .map(([, row]) => row);
}
