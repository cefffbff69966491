/**
 * Follows a filter of Bloomgate, and tests elements in this process or page. docs/follow.md defines the stream.
 *
 *     const follower = new Follower('http://localhost:8080', 'products', key, 5);
 *     await follower.ready(10);
 *     follower.mightContain('4711'); // throws TooOld instead of guessing
 *
 * As a command, `node follow.mjs URL FILTER MAX_AGE` tests each line of its input. It reads the key from BLOOMGATE_KEY,
 * and the secret of a keyed filter, in hexadecimal, from BLOOMGATE_SECRET.
 */

const PAGE = 4096; // a plane is kept in pages, so that a change copies little
const MAX_FRAME = 65536;
const SILENCE = 10; // seconds after which a connection is dead
const LONGEST_PAUSE = 10; // seconds between two attempts, unless the service asks for more
const [PLAN, FILL, PATCH, EMPTY, AT, END] = [1, 2, 3, 4, 5, 6];

/** There is no answer, because the copy is older than allowed, or not complete yet. Never means "no". */
export class TooOld extends Error {}

/** The service or the plan says that this filter cannot be followed like this. */
class Refused extends Error {}

/** What the service sends cannot be right. */
class Malformed extends Error {}

class Unavailable extends Error {
  constructor(reason, seconds) {
    super(reason);
    this.seconds = seconds;
  }
}

const bytesOf = (text) => new TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const clocks = () => [performance.now() / 1000, Date.now() / 1000];

function check(condition, reason) {
  if (!condition) throw new Malformed(reason);
}

function whole(value, least, most) {
  check(Number.isInteger(value) && value >= least && value <= most, `${value} is not from ${least} to ${most}`);
  return value;
}

/** A copy of a filter that follows it in the background. All times are in seconds. */
export class Follower {
  #copy;
  #reason = 'no connection yet';
  #refused = false;
  #anew = false;
  #late = 0; // streams in sequence that were left because they were late
  #closed = false;
  #abort = () => {};
  #waiting = new Set();

  /** secret: a Uint8Array, for a keyed filter. */
  constructor(url, filter, key, maxAge = 5, secret = undefined) {
    Object.assign(this, { maxAge, key, secret });
    this.path = `${url.replace(/\/+$/, '')}/v1/filters/${encodeURIComponent(filter)}/follow`;
    this.#run();
  }

  /** True for maybe, false for certainly not. element: a Uint8Array, or a string for its UTF-8 bytes. */
  mightContain(element) {
    if (this.age() > this.maxAge) throw new TooOld(this.#why());
    return this.#copy.mightContain(typeof element === 'string' ? bytesOf(element) : element);
  }

  /** Every add that was acknowledged before is in the copy. Infinite before the first copy. */
  age() {
    return this.#copy === undefined ? Infinity : this.#copy.age();
  }

  /** Waits until elements can be tested. Throws TooOld after the timeout, or if the filter cannot be followed. */
  async ready(timeout) {
    const deadline = performance.now() + timeout * 1000;
    while (this.age() > this.maxAge) {
      const left = deadline - performance.now();
      if (left <= 0 || this.#refused || this.#closed) throw new TooOld(this.#why());
      await this.#news(left);
    }
  }

  /** Stops following. Elements can be tested until the copy is too old. */
  close() {
    this.#closed = true;
    this.#abort();
    this.#wake();
  }

  #why() {
    const age = this.#copy ? `${this.age().toFixed(3)} s old, more than ${this.maxAge} s` : 'not complete yet';
    return `the copy is ${age}: ${this.#reason || 'nothing has arrived'}`;
  }

  #news(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#waiting.add(() => (clearTimeout(timer), resolve()));
    });
  }

  #wake() {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #run() {
    for (let failures = 0; !this.#closed; ) {
      const before = this.#copy;
      let seconds;
      this.#refused = false;
      try {
        [this.#reason, seconds] = await this.#follow();
      } catch (error) {
        [this.#reason, seconds] = [error.cause ? `${error.message}: ${error.cause}` : error.message, error.seconds];
        this.#refused = error instanceof Refused;
        if (error instanceof Malformed) this.#anew = true;
      }
      this.#wake();
      failures = this.#copy === before ? failures + 1 : 0;
      let pause = backOff(failures);
      // An END may say 0, but only a stream that brought something is followed at once.
      if (seconds >= 0) pause = Math.max(seconds * (1 + Math.random() / 4), failures ? pause : 0);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause * 1000);
        this.#abort = () => (clearTimeout(timer), resolve());
        if (this.#closed) this.#abort();
      });
    }
  }

  /** One connection. Returns the reason for its END, and the seconds until the next attempt. */
  async #follow() {
    const known = this.#anew ? undefined : this.#copy;
    const headers = this.key ? { Authorization: `Bearer ${this.key}` } : {};
    const request = { headers, cache: 'no-store' };
    if (known) {
      const marks = Object.fromEntries(Array.from(known.marks, ([segment, mark]) => [segment, hex(mark)]));
      headers['Content-Type'] = 'application/json';
      request.method = 'POST';
      request.body = JSON.stringify({ incarnation: known.plan.incarnation, resume: hex(known.resume), marks });
    }
    const abort = new AbortController();
    this.#abort = () => abort.abort(new Error('closed'));
    let timer;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort(new Error(`nothing for ${SILENCE} seconds`)), SILENCE * 1000);
    };
    alive();
    try {
      const begin = clocks();
      const response = await fetch(this.path, { ...request, signal: abort.signal });
      if (response.status !== 200) await this.#throwFor(response);
      this.#anew = false;
      return await this.#read(framesOf(response.body.getReader()), known, begin, alive);
    } finally {
      clearTimeout(timer);
      abort.abort(); // the connection, if the stream has not ended
    }
  }

  async #throwFor(response) {
    const problem = await response.json().catch(() => ({}));
    const reason = problem.code ? `${response.status} ${problem.code}: ${problem.detail}` : `status ${response.status}`;
    if (response.status === 401 || response.status === 403) throw new Refused(reason);
    // It does not accept what it should continue.
    if (response.status >= 400 && response.status < 500 && ![404, 429].includes(response.status)) this.#anew = true;
    const after = response.headers.get('Retry-After') ?? '';
    throw new Unavailable(reason, /^\d+$/.test(after) ? Math.min(Number(after), 600) : undefined);
  }

  async #read(frames, known, begin, alive) {
    let draft;
    let late;
    const patience = backOff(this.#late);
    for await (const { type, payload } of frames) {
      if (type === END) {
        const { code, detail, retryAfterSeconds } = parse(payload);
        check(Number.isFinite(retryAfterSeconds), 'no retryAfterSeconds');
        const reason = code ? `${code}: ${detail}` : 'the stream has ended';
        return [reason, Math.max(0, Math.min(600, retryAfterSeconds))];
      }
      if (type < PLAN || type > END) continue;
      alive();
      if (type === PLAN) {
        const plan = await Plan.of(parse(payload), this.secret);
        if (draft === undefined) draft = new Draft(plan, known);
        else if (draft.plan.incarnation === plan.incarnation) draft.extend(plan);
        else draft = new Draft(plan);
        continue;
      }
      check(draft !== undefined, 'a frame before the first plan');
      if (type !== AT) {
        draft.apply(type, payload);
        continue;
      }
      this.#copy = draft.complete(payload, begin);
      [this.#reason, this.#refused] = ['', false];
      this.#wake();
      const [monotonic, wall] = clocks().map((now, i) => now - begin[i]);
      if (Math.abs(wall - monotonic) > 1) return ['a clock was set: connect to measure the age again', 0];
      const sent = new DataView(payload.buffer, payload.byteOffset).getUint32(8) / 1000;
      if (this.#copy.age() - sent <= this.maxAge / 2) {
        [late, this.#late] = [undefined, 0];
      } else if (monotonic - (late ??= monotonic) > patience) {
        this.#late++;
        return ['the stream is late: connect again', 0];
      }
    }
    throw new Error('the connection was lost');
  }
}

function backOff(failures) {
  return Math.min(LONGEST_PAUSE, 0.25 * 2 ** failures) * (1 + Math.random()) * 0.5;
}

function parse(payload) {
  try {
    const document = JSON.parse(new TextDecoder().decode(payload));
    check(document !== null && typeof document === 'object', 'not a JSON object');
    return document;
  } catch (error) {
    throw new Malformed(error.message);
  }
}

async function* framesOf(reader) {
  let buffer = new Uint8Array(0);
  for (;;) {
    let at = 0;
    while (buffer.length - at >= 5) {
      const length = new DataView(buffer.buffer, buffer.byteOffset + at).getUint32(1);
      check(length <= MAX_FRAME, `a frame of ${length} bytes`);
      if (buffer.length - at < 5 + length) break;
      yield { type: buffer[at], payload: buffer.subarray(at + 5, at + 5 + length) };
      at += 5 + length;
    }
    const { done, value } = await reader.read();
    if (done) return;
    const rest = buffer.subarray(at);
    buffer = new Uint8Array(rest.length + value.length);
    buffer.set(rest);
    buffer.set(value, rest.length);
  }
}

/** The shape of a filter's planes, which never changes. Refuses plans that no filter has. */
class Plan {
  layers = []; // first segment, segments, bits of a plane, k
  sizes = []; // bytes of a plane, by segment

  static async of({ incarnation, planes, plan }, secret) {
    check(typeof incarnation === 'string' && plan?.layers?.length > 0, 'not a plan');
    const made = new Plan();
    made.incarnation = incarnation;
    made.planes = whole(planes, 1, 128);
    made.hash = await hashOf(plan, secret);
    let total = 0;
    for (const layer of plan.layers) {
      const { firstSegment, shape } = layer ?? {};
      const segments = whole(shape?.segments, 1, 1 << 14);
      const segmentBits = whole(shape.segmentBits, 1, 1 << 24);
      total += segments * segmentBits;
      const first = made.sizes.length;
      const bits = Math.floor(segmentBits / planes / (plan.counting === true ? 4 : 1));
      const fits = first + segments <= 1 << 14 && made.layers.length < 32 && total <= 2 ** 36;
      check(firstSegment === first && bits > 0 && fits, 'these layers are not those of a filter');
      made.layers.push({ first, segments, bits, k: whole(shape.numHashFunctions, 1, 255) });
      for (let i = 0; i < segments; i++) made.sizes.push(Math.ceil(bits / 8));
    }
    return made;
  }
}

/** The content as of one AT. Never changes: the next AT makes another, which shares the planes that are equal. */
class Copy {
  constructor(plan, planes, marks, resume, since) {
    Object.assign(this, { plan, planes, marks, resume, since });
  }

  age() {
    return Math.max(...clocks().map((now, i) => now - this.since[i]));
  }

  mightContain(element) {
    const [h1, h2] = this.plan.hash(element);
    const rings = this.plan.planes;
    const g = (i) => {
      let z = word(h1 + BigInt(i) * h2);
      z = word((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
      z = word((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
      return z ^ (z >> 31n);
    };
    const scale = (z, bound) => Number((z * BigInt(bound)) >> 64n);
    return this.plan.layers.some(({ first, segments, bits, k }) => {
      const at = (first + scale(g(0), segments)) * rings;
      const places = [];
      const isSet = (pages, i) => {
        const x = (places[i] ??= scale(g(i + 1), bits));
        const page = pages[x >> 15];
        return page !== undefined && (page[(x >> 3) & 4095] & (0x80 >> (x & 7))) !== 0;
      };
      for (let plane = at; plane < at + rings; plane++) {
        const pages = this.planes[plane];
        let i = 0;
        if (pages !== undefined) while (i < k && isSet(pages, i)) i++;
        if (i === k) return true;
      }
      return false;
    });
  }
}

/** The content that the next AT completes. Pages of complete content are copied before a change. */
class Draft {
  #planes = [];
  #marks = new Map();
  #own = new Map(); // by plane: its pages that are not complete yet

  constructor(plan, known) {
    this.plan = plan;
    if (known?.plan.incarnation === plan.incarnation) {
      this.plan = known.plan;
      this.#planes = known.planes.slice();
      this.#marks = new Map(known.marks);
    }
    this.extend(plan);
  }

  extend(plan) {
    const layers = JSON.stringify(plan.layers.slice(0, this.plan.layers.length));
    const same = plan.planes === this.plan.planes && layers === JSON.stringify(this.plan.layers);
    check(same, 'the plan of an incarnation has changed');
    this.plan = plan;
    while (this.#planes.length < plan.sizes.length * plan.planes) this.#planes.push(undefined);
  }

  apply(type, payload) {
    check(payload.length >= (type === FILL ? 18 : 14), 'a short frame');
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    const segment = whole(view.getUint32(0), 0, this.plan.sizes.length - 1);
    const plane = whole(view.getUint16(4), 0, this.plan.planes - 1);
    const size = this.plan.sizes[segment];
    const index = segment * this.plan.planes + plane;
    if (type === FILL) {
      let offset = view.getUint32(14);
      whole(offset + payload.length - 18, 0, size);
      for (let from = 18; from < payload.length; ) {
        const part = payload.subarray(from, from + PAGE - (offset % PAGE));
        this.#page(index, offset, size, part.some((byte) => byte !== 0))?.set(part, offset % PAGE);
        from += part.length;
        offset += part.length;
      }
    } else if (type === PATCH) {
      check(payload.length % 4 === 2, 'a part of an entry');
      for (let at = 14; at < payload.length; at += 4) {
        const offset = whole(view.getUint32(at) >>> 8, 0, size - 1);
        const value = payload[at + 3];
        const page = this.#page(index, offset, size, value !== 0);
        if (page) page[offset % PAGE] = value;
      }
    } else {
      check(payload.length === 14, 'a long frame');
      this.#planes[index] = undefined;
      this.#own.delete(index);
    }
    this.#marks.set(segment, payload.slice(6, 14));
  }

  /** A page that may be changed; undefined if it has only zeros and is not needed. */
  #page(index, offset, size, isNeeded) {
    const number = Math.floor(offset / PAGE);
    if (!isNeeded && this.#planes[index]?.[number] === undefined) return undefined;
    let own = this.#own.get(index);
    if (own === undefined) {
      this.#own.set(index, (own = new Set()));
      this.#planes[index] = this.#planes[index]?.slice() ?? new Array(Math.ceil(size / PAGE)).fill(undefined);
    }
    const pages = this.#planes[index];
    if (!own.has(number)) {
      pages[number] = pages[number]?.slice() ?? new Uint8Array(PAGE);
      own.add(number);
    }
    return pages[number];
  }

  complete(payload, begin) {
    check(payload.length === 36, 'an AT of another length');
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    const [sent, stream] = [view.getUint32(8) / 1000, Number(view.getBigUint64(12)) / 1000];
    this.#own.clear();
    // No delay is negative: if it seems so, the clocks of the two machines have different rates.
    const since = clocks().map((now, i) => Math.min(now, begin[i] + stream) - sent);
    return new Copy(this.plan, this.#planes.slice(), new Map(this.#marks), payload.slice(20), since);
  }
}

async function hashOf({ hashScheme, hashKey }, secret) {
  if (hashScheme === 'bloomgate-1') return murmur3x64128;
  if (hashScheme !== 'bloomgate-1-keyed') {
    throw new Refused(`hash scheme ${hashScheme}: this reader knows bloomgate-1 and bloomgate-1-keyed`);
  }
  const { secretId, salt } = hashKey ?? {};
  check(/^[0-9a-f]{16}$/.test(secretId) && /^[0-9a-f]{32}$/.test(salt), 'no hashKey');
  if (!secret?.length) throw new Refused(`a keyed filter: pass the secret ${secretId}`);
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new Refused('a keyed filter: browsers compute its key only in pages from https or localhost');
  const hmac = async (key, message) => {
    const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return new Uint8Array(await subtle.sign('HMAC', imported, message));
  };
  const hkdf = async (from, info) => hmac(await hmac(from, secret), bytesOf(`${info}\x01`));
  const id = hex((await hkdf(new Uint8Array(32), 'bloomgate secret id')).subarray(0, 8));
  if (id !== secretId) throw new Refused(`the filter needs the secret ${secretId}, not ${id}`);
  const key = words(await hkdf(unhex(salt), 'bloomgate-1-keyed'));
  return (element) => highwayHash128(key, element);
}

const word = (x) => BigInt.asUintN(64, x);
const rotl = (x, r) => word((x << r) | (x >> (64n - r)));

function murmur3x64128(data) {
  const c1 = 0x87c37b91114253d5n;
  const c2 = 0x4cf5ad432745937fn;
  const mixK1 = (k) => word(rotl(word(k * c1), 31n) * c2);
  const mixK2 = (k) => word(rotl(word(k * c2), 33n) * c1);
  const fmix = (h) => {
    h = word((h ^ (h >> 33n)) * 0xff51afd7ed558ccdn);
    h = word((h ^ (h >> 33n)) * 0xc4ceb9fe1a85ec53n);
    return h ^ (h >> 33n);
  };
  // The last block is padded with zeros, which add nothing to h1 and h2.
  const padded = new Uint8Array(data.length + 16);
  padded.set(data);
  const view = new DataView(padded.buffer);

  let h1 = 0n;
  let h2 = 0n;
  let i = 0;
  for (; i + 16 <= data.length; i += 16) {
    h1 ^= mixK1(view.getBigUint64(i, true));
    h1 = word((rotl(h1, 27n) + h2) * 5n + 0x52dce729n);
    h2 ^= mixK2(view.getBigUint64(i + 8, true));
    h2 = word((rotl(h2, 31n) + h1) * 5n + 0x38495ab5n);
  }
  h1 ^= mixK1(view.getBigUint64(i, true)) ^ BigInt(data.length);
  h2 ^= mixK2(view.getBigUint64(i + 8, true)) ^ BigInt(data.length);
  h1 = word(h1 + h2);
  h2 = word(h2 + h1);
  h1 = fmix(h1);
  h2 = fmix(h2);
  h1 = word(h1 + h2);
  return [h1, word(h2 + h1)];
}

/** Four little-endian words. */
function words(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32);
  return [0, 8, 16, 24].map((at) => view.getBigUint64(at, true));
}

function highwayHash128(key, data) {
  const LOW = 0xffffffffn;
  const swap = (x) => (x >> 32n) | ((x & LOW) << 32n);
  const mul0 = [0xdbe6d5d5fe4cce2fn, 0xa4093822299f31d0n, 0x13198a2e03707344n, 0x243f6a8885a308d3n];
  const mul1 = [0x3bd39e10cb0ef593n, 0xc0acf169b5f18a8cn, 0xbe5466cf34e90c6cn, 0x452821e638d01377n];
  const v0 = mul0.map((m, i) => m ^ key[i]);
  const v1 = mul1.map((m, i) => m ^ swap(key[i]));
  const [from, to] = [new DataView(new ArrayBuffer(16)), new DataView(new ArrayBuffer(16))];
  const zip = (target, source) => {
    for (const j of [0, 2]) {
      from.setBigUint64(0, source[j], true);
      from.setBigUint64(8, source[j + 1], true);
      [3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7].forEach((at, i) => to.setUint8(i, from.getUint8(at)));
      target[j] = word(target[j] + to.getBigUint64(0, true));
      target[j + 1] = word(target[j + 1] + to.getBigUint64(8, true));
    }
  };
  const update = (packet) => {
    for (let i = 0; i < 4; i++) {
      v1[i] = word(v1[i] + mul0[i] + packet[i]);
      mul0[i] ^= (v1[i] & LOW) * (v0[i] >> 32n);
      v0[i] = word(v0[i] + mul1[i]);
      mul1[i] ^= (v0[i] & LOW) * (v1[i] >> 32n);
    }
    zip(v0, v1);
    zip(v1, v0);
  };

  const full = data.length - (data.length % 32);
  for (let i = 0; i < full; i += 32) update(words(data.subarray(i, i + 32)));
  const rest = data.subarray(full);
  if (rest.length > 0) {
    const r = rest.length;
    const q = r - (r % 4);
    const packet = new Uint8Array(32);
    packet.set(rest.subarray(0, q));
    if (r >= 16) packet.set(rest.subarray(r - 4), 28);
    else if (r > q) packet.set([rest[q], rest[q + ((r - q) >> 1)], rest[r - 1]], 16);
    const turn = (half) => ((half << BigInt(r)) | (half >> BigInt(32 - r))) & LOW;
    for (let i = 0; i < 4; i++) {
      v0[i] = word(v0[i] + (BigInt(r) << 32n) + BigInt(r));
      v1[i] = (turn(v1[i] >> 32n) << 32n) | turn(v1[i] & LOW);
    }
    update(words(packet));
  }
  for (let i = 0; i < 6; i++) update([swap(v0[2]), swap(v0[3]), swap(v0[0]), swap(v0[1])]);
  return [0, 1].map((i) => word(v0[i] + mul0[i] + v1[i + 2] + mul1[i + 2]));
}

if (globalThis.process?.argv?.[1]?.endsWith('follow.mjs')) {
  const { createInterface } = await import('node:readline');
  const { argv, env, stdin } = globalThis.process;
  const [url, filter, maxAge] = argv.slice(2);
  const follower = new Follower(url, filter, env.BLOOMGATE_KEY, Number(maxAge), unhex(env.BLOOMGATE_SECRET ?? ''));
  for await (const line of createInterface({ input: stdin })) {
    const age = follower.age().toFixed(3);
    try {
      console.log(follower.mightContain(line) ? 'maybe' : 'no', age);
    } catch (error) {
      console.log('too-old', age, error.message);
    }
  }
  follower.close();
}
