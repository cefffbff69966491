// The order of the rows.

import { summaryOf, trouble } from './condition.js';
import { paceOf } from './pace.js';

/** Unknown for adopted and damaged filters, infinite for saturated ones. */
const held = ({ isKnown, held: count, capacity }) => (isKnown ? (count ?? Infinity) / capacity : -1);

const collator = new Intl.Collator('en', { numeric: true });

/** The rank of a filter by the title of a column. Names sort ascending, everything else descending. */
const RANKS = {
  'Name': null,
  'Kind': ({ its }) => -['fixed size', 'growing', 'window', 'counting', 'other library'].indexOf(its.kind),
  'Elements': ({ its }) => held(its),
  'False positives': ({ its }) => (its.rate ?? -1) / its.target,
  'New/s': ({ filter }) => paceOf(filter) ?? -1,
  'Size': ({ filter }) => filter.sizeBytes ?? -1,
  'Expires': ({ its }) => (its.expiresAt ? -new Date(its.expiresAt) : -Infinity),
  'State': ({ filter }) => trouble(filter),
};

export const TITLES = Object.keys(RANKS);

export function sorted(filters, { title, isTurned }) {
  const rank = RANKS[title];
  const ranked = filters.map((filter) => {
    const each = { filter, its: summaryOf(filter) };
    return { ...each, rank: rank?.(each) };
  });
  const byName = (one, other) => collator.compare(one.filter.name, other.filter.name);
  ranked.sort(rank ? (one, other) => other.rank - one.rank || byName(one, other) : byName);
  return (isTurned ? ranked.reverse() : ranked).map(({ filter }) => filter);
}
