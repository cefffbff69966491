// Which filter is shown.

export const state = {
  /** Its name; null for none. */
  name: null,
  /** The Redis key that it has adopted; null for none. */
  adoptedKey: null,
  /** Whether it counts its elements, so that they can be removed. */
  isCounting: false,
};

/** Filters have addresses of their own: no name is taken for the id of an element. */
export const addressOf = (name) => '#/' + encodeURIComponent(name);

export function nameIn(hash) {
  try {
    return decodeURIComponent(/^#\/(.+)$/.exec(hash)?.[1] ?? '') || null;
  } catch {
    return null;
  }
}
