// Numbers in common notations.

const FACTORS = { '': 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9 };
const COUNT = /^([\d.,]+)(?:e\+?(\d{1,2}))?([kmgb]?)$/i;
const SHARE = /^(\d*[.,]?\d+|\d+[.,])(?:e(-?\d{1,2}))?([%‰]?)$/i;
const ONE_IN = /^1(?:in|\/)(.+)$/i;
const GROUPED = { ',': /^\d{1,3}(,\d{3})+$/, '.': /^\d{1,3}(\.\d{3})+$/ };

/** The `{ value }` that was read, or the `{ problem }`. */
const value = (number) => ({ value: number });
const problem = (text) => ({ problem: text });

/** Removes spaces, apostrophes and underscores between groups of digits, and spaces next to other characters. */
const dense = (text) => text.trim()
  .replace(/(\d)[\s_'’](?=\d{3}(?!\d))/g, '$1')
  .replace(/(?<!\d)\s+|\s+(?!\d)/g, '');

/** Reads digits with points and commas. With a unit, `1.500` is one and a half. */
function plain(digits, hasUnit) {
  const marks = digits.replace(/\d/g, '');
  if (marks === '') {
    return value(Number(digits));
  }
  const last = marks.at(-1);
  if (marks.length === 1) {
    const [whole, rest] = digits.split(last);
    if (whole === '' || rest === '') {
      return problem('A digit is missing.');
    }
    if (GROUPED[last].test(digits) && whole !== '0' && !(last === '.' && hasUnit)) {
      return last === ',' && !hasUnit
        ? value(Number(whole + rest))
        : problem(`This may mean ${whole}${rest} or ${whole}.${rest}. Enter it without the ${last === ',' ? 'comma' : 'point'}.`);
    }
    return rest.length === 3 && whole.length > 3 && !hasUnit
      ? problem('The thousands are not in groups of three digits.')
      : value(Number(`${whole}.${rest}`));
  }
  const other = last === ',' ? '.' : ',';
  if (!marks.includes(other)) {
    return GROUPED[last].test(digits)
      ? value(Number(digits.replaceAll(last, '')))
      : problem('The thousands are not in groups of three digits.');
  }
  const [whole, rest, ...more] = digits.split(last);
  return more.length === 0 && rest !== '' && GROUPED[other].test(whole)
    ? value(Number(`${whole.replaceAll(other, '')}.${rest}`))
    : problem('The thousands are not in groups of three digits.');
}

function amount(text) {
  const match = COUNT.exec(dense(text));
  if (!match) {
    return problem(text.trim() ? 'This is not a number.' : 'A number is missing.');
  }
  const [, digits, power = '0', unit] = match;
  const read = plain(digits, unit !== '' || power !== '0');
  // Removes digits that come from multiplying fractions.
  return read.problem ? read : value(Number((read.value * 10 ** power * FACTORS[unit.toLowerCase()]).toPrecision(15)));
}

/** Reads a count, a whole number from 1: 1,500,000 or 1.5M or 1e6. */
export function readCount(text) {
  const read = amount(text);
  if (read.problem) {
    return read.problem.startsWith('This is not')
      ? problem('This is not a number. Enter a number such as 1,500,000, 1.5M or 1e6.')
      : read;
  }
  if (!Number.isInteger(read.value)) {
    return problem('This is not a whole number.');
  }
  if (read.value < 1 || !Number.isSafeInteger(read.value)) {
    return problem(read.value < 1 ? 'Enter a number above 0.' : 'This is too large.');
  }
  return read;
}

/** Reads a duration above 0, which may have a fraction. Returns seconds. */
export function readSeconds(text, unit) {
  const read = amount(text);
  if (read.problem) {
    return read;
  }
  const seconds = Math.round(read.value * unit);
  if (seconds < 1 || !Number.isSafeInteger(seconds)) {
    return problem(seconds < 1 ? 'Enter a number above 0.' : 'This is too large.');
  }
  return value(seconds);
}

/** Reads a rate between 0 and 1, excluding both: 0.001 or 0,001 or 0.1% or 1e-3 or 1 in 1000. */
export function readShare(text) {
  const words = dense(text);
  const example = 'Enter a rate such as 0.01, 1% or 1 in 100.';
  const match = SHARE.exec(words);
  let share;
  if (match) {
    const [, digits, power = '0', sign] = match;
    share = Number((digits.replace(',', '.') * 10 ** power / { '': 1, '%': 100, '‰': 1000 }[sign]).toPrecision(15));
  } else {
    const count = ONE_IN.exec(words);
    if (!count) {
      return problem(words ? `This is not a rate. ${example}` : `The rate is missing. ${example}`);
    }
    const read = readCount(count[1]);
    if (read.problem) {
      return read;
    }
    share = 1 / read.value;
  }
  return share > 0 && share < 1 ? value(share) : problem(`A rate must be above 0 and below 1. ${example}`);
}

const UNITS = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, kb: 1e3, mb: 1e6, gb: 1e9 };
const BYTES = /^([^a-z]+)(b|bytes?|[kmg]i?b?)?$/i;

/** Reads a number of bytes, a whole number from 1: 1.5 GiB or 1.5G, which are the same, or 500 MB. */
export function readBytes(text) {
  const [, digits, unit = 'b'] = BYTES.exec(dense(text)) ?? [];
  const factor = UNITS[unit.toLowerCase().replace('i', '').replace(/^bytes?$/, 'b')] ?? 1;
  const isBinary = unit.toLowerCase().includes('i');
  const example = 'Enter a size such as 512 MiB or 1.5 GiB.';
  if (!digits) {
    return problem(`This is not a size. ${example}`);
  }
  const read = plain(digits, factor > 1);
  if (read.problem || !(read.value > 0)) {
    return problem(read.problem ?? `Enter a number above 0. ${example}`);
  }
  return value(Math.round(read.value * (isBinary ? UNITS[unit[0].toLowerCase()] : factor)));
}

/** Reads a share from 0 to 100 %, which may be both. */
export function readPart(text) {
  const [, digits, sign] = /^(\d+(?:[.,]\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  const part = Number(digits?.replace(',', '.')) / (sign ? 100 : 1);
  return part >= 0 && part <= 1 ? value(part) : problem('Enter a share from 0 % to 100 %.');
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86400 };
const INTERVAL = /^(?:every )?(\d+) ?(s|m|h|d|seconds?|min|minutes?|hours?|days?)$/i;
const [SHORTEST, LONGEST] = [10, 31_536_000];

/** Reads an interval such as 6 h, or a cron expression; null for an empty text. */
export function readSchedule(text) {
  const words = text.trim();
  if (!words) {
    return value(null);
  }
  const [, count, unit] = INTERVAL.exec(words) ?? [];
  if (count) {
    const everySeconds = count * SECONDS[unit[0].toLowerCase()];
    return everySeconds >= SHORTEST && everySeconds <= LONGEST
      ? value({ everySeconds }) : problem('An interval has at least 10 seconds and at most a year.');
  }
  return /^@\w+$/.test(words) || words.split(/\s+/).length === 5
    ? value({ cron: words }) : problem('Enter an interval such as 6 h, or a cron expression such as 0 3 * * *.');
}
