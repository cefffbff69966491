// Exact figures of filters in the list.

import { state } from './state.js';

/** The time until the list has caught up, in milliseconds. */
const LATE = 60 * 1000;

const MOST = 100;

/** The last descriptions by name, each with the row that the list had then. */
const notes = new Map();

/** Notes a description, which is newer than the row of the filter. */
export function noteExact(filter) {
  const row = state.page?.filters.find(({ name }) => name === filter.name);
  notes.delete(filter.name);
  notes.set(filter.name, { row, filter, until: Date.now() + LATE });
  if (notes.size > MOST) {
    notes.delete(notes.keys().next().value);
  }
}

const isLate = (row, before, filter) => row.figures.insertions === before?.figures?.insertions
  || row.figures.insertions < filter.insertions;

/** The row of a filter, with the figures of its description while those of the list are older. */
export function withExact(row) {
  const { row: before, filter, until } = notes.get(row.name) ?? {};
  if (!filter || !row.figures || until < Date.now() || filter.createdAt !== row.createdAt || !isLate(row, before, filter)) {
    return row;
  }
  const { insertions, fillRatio, approximateElementCount, estimatedFalsePositiveProbability } = filter;
  return { ...row, figures: { ...row.figures, insertions, fillRatio, approximateElementCount, estimatedFalsePositiveProbability } };
}
