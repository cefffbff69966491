// Names of filters.

const NAME = /^[A-Za-z0-9][A-Za-z0-9._~:@-]{0,127}$/;

/** Reads the name of a filter. */
export const readName = (text) => (NAME.test(text.trim())
  ? { value: text.trim() }
  : { problem: text.trim() ? 'A name has at most 128 letters, digits and . _ ~ : @ -, and begins with a letter or digit.' : 'A name is missing.' });

/** Reads several names without duplicates. */
export const readNames = (most) => (text) => {
  const names = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  const wrong = names.find((name) => readName(name).problem);
  if (names.length === 0 || names.length > most) {
    return { problem: names.length === 0 ? 'A name is missing.' : `Enter at most ${most} names.` };
  }
  return wrong ? { problem: `“${wrong}” is not a valid filter name.` } : { value: names };
};
