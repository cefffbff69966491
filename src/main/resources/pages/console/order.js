// The order of the rows on a page of the list.

import { trouble } from './row.js';

/** An adopted filter has no figures, a saturated one holds any number. */
const held = ({ figures }) => (figures?.fillRatio == null ? -1 : figures.approximateElementCount ?? Infinity);

/** By title what the rows are sorted by, the largest first; none keeps the order of names. */
const RANKS = {
  'Name': null,
  'Holds': (filter) => held(filter) / (filter.figures?.expectedInsertions ?? 1),
  'Strangers let through': ({ figures, falsePositiveProbability: promised }) =>
    (figures?.estimatedFalsePositiveProbability ?? -1) / promised,
  'Memory': ({ sizeBytes }) => sizeBytes ?? -1,
  'Deadline': ({ expiresAt }) => (expiresAt ? -new Date(expiresAt) : -Infinity),
  'State': trouble,
};

export const TITLES = Object.keys(RANKS);

export const sorted = (filters, title) => {
  const rank = RANKS[title];
  return rank ? [...filters].sort((one, other) => rank(other) - rank(one)) : filters;
};
