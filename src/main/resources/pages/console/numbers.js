// Numbers and dates, with the digits of the browser's language.

const LANGUAGE = navigator.languages;

// Creating these takes a hundred times as long as using them.
const NUMBER = new Intl.NumberFormat(LANGUAGE);
const [TWO_DIGITS, THREE_DIGITS] = [2, 3].map((digits) => new Intl.NumberFormat(LANGUAGE, { maximumSignificantDigits: digits }));
const MOMENT = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
const TIME_OF_DAY = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'medium', hourCycle: 'h23' });
const FROM_NOW = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export const number = (count) => NUMBER.format(count);

/** A count with its noun: 1 layer, 2 layers. */
export const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

/** The number of elements in words; empty if the text of a field has the same digits. */
export const elementsIn = (count, text) => (text === number(count) ? '' : counted(count, 'element'));

export const significant = (count, digits = 3) => (digits === 2 ? TWO_DIGITS : THREE_DIGITS).format(count);

export function bytes(count) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let unit = 0;
  let rest = count;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${significant(rest)} ${units[unit]}`;
}

export const percent = (share) => `${significant(share * 100)}\u00a0%`;

/** A rate in percent, with the digits that matter compared with its target. */
export function rateWords(rate, target = rate) {
  return rate > 0 && rate < target / 1000 ? `< ${TWO_DIGITS.format(target / 10)}\u00a0%` : `${TWO_DIGITS.format(rate * 100)}\u00a0%`;
}

export function oneIn(rate, digits = 3) {
  if (rate <= 0) {
    return 'none';
  }
  if (rate < 1e-12) {
    return 'less than 1 in a trillion';
  }
  return rate >= 0.5 ? percent(rate) : `1 in ${significant(1 / rate, digits)}`;
}

export const moment = (iso) => MOMENT.format(new Date(iso));

export const timeOfDay = (millis) => TIME_OF_DAY.format(millis);

/** A time relative to now. The milliseconds of a number may exceed what a date can hold. */
export function fromNow(time) {
  const millis = typeof time === 'number' ? time : Date.parse(time);
  const seconds = Math.round((millis - Date.now()) / 1000);
  for (const [unit, length] of [['day', 86400], ['hour', 3600], ['minute', 60]]) {
    if (Math.abs(seconds) >= length) {
      return FROM_NOW.format(Math.round(seconds / length), unit);
    }
  }
  return FROM_NOW.format(seconds, 'second');
}
