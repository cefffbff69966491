// The kinds of filters, and the hash schemes of other libraries.

export const KINDS = [
  ['fixed', 'Fixed size', 'You know roughly how many elements to expect. Smallest and fastest.'],
  ['grows', 'Growing', 'You do not know how many elements to expect. Adds layers as it fills up, and keeps the false-positive rate.'],
  ['forgets', 'Window', 'Elements are forgotten after a set time, such as a day or a week.'],
  ['counts', 'Counting', 'Elements can be removed. Takes four times the space.'],
  ['library', 'Other library', 'Sets the same bits as Guava, Redisson, go-zero or another library, and can share its key in Redis.'],
];

export const SCHEMES = [
  'guava-mitz-64', 'guava-mitz-32', 'redisson', 'go-zero', 'bits-and-blooms', 'guava-redis-helper', 'guava-redis-helper-once',
  'scrapy-redis-bloomfilter', 'redisbloom', 'rueidisprob'];
