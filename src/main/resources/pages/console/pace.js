// New elements per second of each filter, from two looks at the list.

/** The service counts new elements for the list after at most this time, in milliseconds. */
const LATE = 60 * 1000;

/** A filter that is counted this many times less often than before has no new elements. */
const MISSED = 5;
const SHORTEST = 10 * 1000;

/** By name, the last count and its time, the pace and the time between two counts. */
const counts = new Map();

function next(last, insertions, now) {
  if (!last || insertions < last.insertions) {
    // The elements of the first change may have been added before the page was opened.
    return { insertions, since: now, isCut: true, pace: null };
  }
  const passed = Math.min(now - last.since, LATE);
  if (insertions > last.insertions) {
    const isKnown = !last.isCut || passed === LATE;
    return {
      insertions, since: now, isCut: false, gap: passed,
      pace: isKnown ? (1000 * (insertions - last.insertions)) / Math.max(passed, 1) : null };
  }
  const isQuiet = now - last.since > Math.min(LATE, Math.max(MISSED * (last.gap ?? LATE), SHORTEST));
  return isQuiet ? { ...last, pace: 0 } : last;
}

/** Notes the counts of a response. */
export function notePaces(filters, now) {
  const before = new Map(counts);
  counts.clear();
  for (const { name, createdAt, figures } of filters) {
    if (figures && figures.insertions !== null) {
      const last = before.get(name);
      counts.set(name, { ...next(last?.createdAt === createdAt ? last : null, figures.insertions, now), createdAt });
    }
  }
}

/** The new elements per second; null if not known. */
export const paceOf = ({ name }) => counts.get(name)?.pace ?? null;
