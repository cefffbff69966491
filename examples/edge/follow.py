"""Follows a filter of Bloomgate, and tests elements in this process. docs/follow.md defines the stream.

    follower = Follower("http://localhost:8080", "products", key, max_age=5)
    follower.ready(10)
    follower.might_contain("4711")  # raises TooOld instead of guessing

As a command, `follow.py URL FILTER MAX_AGE` tests each line of its input. It reads the key from BLOOMGATE_KEY, and the
secret of a keyed filter, in hexadecimal, from BLOOMGATE_SECRET.
"""

import hmac
import json
import math
import os
import random
import socket
import struct
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import quote, urlsplit

PAGE = 4096  # a plane is kept in pages, so that a change copies little
MAX_FRAME = 65536
SILENCE = 10  # seconds after which a connection is dead
LONGEST_PAUSE = 10  # seconds between two attempts, unless the service asks for more
MASK = (1 << 64) - 1
LOW = (1 << 32) - 1
PLAN, FILL, PATCH, EMPTY, AT, END = range(1, 7)


class TooOld(Exception):
    """There is no answer, because the copy is older than allowed, or not complete yet. Never means "no"."""


class Refused(Exception):
    """The service or the plan says that this filter cannot be followed like this."""


class Unavailable(Exception):
    def __init__(self, reason, seconds):
        super().__init__(reason)
        self.seconds = seconds


class Follower:
    """A copy of a filter that follows it in the background. Thread-safe."""

    def __init__(self, url, filter, key=None, max_age=5.0, secret=None):
        self.url, self.key, self.max_age, self.secret = urlsplit(url), key, max_age, secret
        self.path = f"{self.url.path.rstrip('/')}/v1/filters/{quote(filter, safe='')}/follow"
        self._copy = None  # replaced as a whole by each AT, so that tests need no lock
        self._reason, self._refused = "no connection yet", False
        self._anew = False
        self._late = 0  # streams in sequence that were left because they were late
        self._socket = None
        self._changed = threading.Condition()
        self._closed = threading.Event()
        threading.Thread(target=self._run, name=f"follow {filter}", daemon=True).start()

    def might_contain(self, element):
        """True for maybe, False for certainly not. element: bytes, or a str for its UTF-8 bytes."""
        copy = self._copy
        if copy is None or copy.age() > self.max_age:
            raise TooOld(self._why(copy))
        return copy.might_contain(element.encode() if isinstance(element, str) else element)

    def age(self):
        """Seconds; every add that was acknowledged before is in the copy. Infinite before the first copy."""
        copy = self._copy
        return math.inf if copy is None else copy.age()

    def ready(self, timeout):
        """Waits until elements can be tested. Raises TooOld after the timeout, or if the filter cannot be followed."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while self.age() > self.max_age:
                left = deadline - time.monotonic()
                if left <= 0 or self._refused or self._closed.is_set():
                    raise TooOld(self._why(self._copy))
                self._changed.wait(left)

    def close(self):
        """Stops following. Elements can be tested until the copy is too old."""
        self._closed.set()
        self._hang_up()
        with self._changed:
            self._changed.notify_all()

    def _why(self, copy):
        age = "not complete yet" if copy is None else f"{copy.age():.3f} s old, more than {self.max_age} s"
        return f"the copy is {age}: {self._reason or 'nothing has arrived'}"

    def _tell(self, reason, refused=False):
        with self._changed:
            self._reason, self._refused = reason, refused
            self._changed.notify_all()

    def _hang_up(self):
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass  # it is closed already, or there was none

    def _run(self):
        failures = 0
        while not self._closed.is_set():
            before, seconds, refused = self._copy, None, False
            try:
                reason, seconds = self._follow()
            except Refused as error:
                reason, refused = str(error), True
            except Unavailable as error:
                reason, seconds = str(error), error.seconds
            except (OSError, HTTPException) as error:
                reason = repr(error)
            except Exception as error:
                reason, self._anew = f"a malformed stream: {error!r}", True
            failures = failures + 1 if self._copy is before else 0
            self._tell(reason, refused)
            pause = back_off(failures)
            if seconds is not None:  # an END may say 0, but only a stream that brought something is followed at once
                pause = max(seconds * random.uniform(1, 1.25), pause if failures else 0)
            self._closed.wait(pause)

    def _follow(self):
        """One connection. Returns the reason for its END, and the seconds until the next attempt."""
        headers, body, known = {}, None, None if self._anew else self._copy
        if self.key:
            headers["Authorization"] = "Bearer " + self.key
        if known:
            marks = {str(segment): mark.hex() for segment, mark in known.marks.items()}
            body = json.dumps({"incarnation": known.plan.incarnation, "resume": known.resume.hex(), "marks": marks})
            headers["Content-Type"] = "application/json"
        make = HTTPSConnection if self.url.scheme == "https" else HTTPConnection
        connection = make(self.url.netloc, timeout=SILENCE)
        try:
            connection.connect()
            self._socket = connection.sock
            if self._closed.is_set():
                return "closed", 0
            begin = clocks()
            connection.request("POST" if body else "GET", self.path, body, headers)
            response = connection.getresponse()
            if response.status != 200:
                self._raise_for(response)
            self._anew = False
            return self._read(response, known, begin)
        finally:
            connection.close()

    def _raise_for(self, response):
        try:
            problem = json.loads(response.read(MAX_FRAME))
            reason = f"{response.status} {problem['code']}: {problem['detail']}"
        except (ValueError, LookupError, TypeError):
            reason = f"status {response.status}"
        if response.status in (401, 403):
            raise Refused(reason)
        if 400 <= response.status < 500 and response.status not in (404, 429):
            self._anew = True  # it does not accept what it should continue
        after = response.getheader("Retry-After", "")
        raise Unavailable(reason, min(int(after), 600) if after.isdigit() else None)

    def _read(self, response, known, begin):
        def take(count):
            data = response.read(count) if count else b""
            if len(data) < count:
                raise ConnectionError("the connection was lost")
            return data

        draft = late = None
        patience = back_off(self._late)
        alive = time.monotonic()
        while True:
            kind, length = struct.unpack(">BI", take(5))
            if length > MAX_FRAME:
                raise ValueError(f"a frame of {length} bytes")
            payload = take(length)
            if kind == END:
                end = json.loads(payload)
                reason = f"{end['code']}: {end['detail']}" if "code" in end else "the stream has ended"
                return reason, max(0, min(600, float(end["retryAfterSeconds"])))
            if kind == PLAN:
                plan = Plan(json.loads(payload), self.secret)
                if draft is None:
                    draft = Draft(plan, known)
                elif draft.plan.incarnation == plan.incarnation:
                    draft.extend(plan)
                else:
                    draft = Draft(plan, None)
            elif kind in (FILL, PATCH, EMPTY, AT) and draft is None:
                raise ValueError("a frame before the first plan")
            elif kind == AT:
                self._copy = draft.complete(payload, begin)
                self._tell("")
                if self._copy.clocks_differ(begin):
                    return "a clock was set: connect to measure the age again", 0
                sent = struct.unpack_from(">I", payload, 8)[0] / 1000
                if self._copy.age() - sent <= self.max_age / 2:
                    late, self._late = None, 0
                elif late is None:
                    late = time.monotonic()
                elif time.monotonic() - late > patience:
                    self._late += 1
                    return "the stream is late: connect again", 0
            elif kind in (FILL, PATCH, EMPTY):
                draft.apply(kind, payload)
            if kind in (PLAN, FILL, PATCH, EMPTY, AT):
                alive = time.monotonic()
            elif time.monotonic() - alive > SILENCE:
                raise ConnectionError(f"nothing for {SILENCE} seconds")


def back_off(failures):
    return min(LONGEST_PAUSE, 0.25 * 2 ** min(failures, 10)) * random.uniform(0.5, 1)


def clocks():
    return time.monotonic(), time.time()


def whole(value, least, most):
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} is not from {least} to {most}")
    return value


class Plan:
    """The shape of a filter's planes, which never changes. Refuses plans that no filter has."""

    def __init__(self, document, secret):
        plan = document["plan"]
        self.incarnation, self.planes = document["incarnation"], whole(document["planes"], 1, 128)
        if type(self.incarnation) is not str:
            raise ValueError("the incarnation is not a string")
        if plan["hashScheme"] == "bloomgate-1":
            self.hash = murmur3_x64_128
        elif plan["hashScheme"] == "bloomgate-1-keyed":
            self.hash = keyed(plan["hashKey"], secret)
        else:
            raise Refused(f"hash scheme {plan['hashScheme']}: this reader knows bloomgate-1 and bloomgate-1-keyed")
        self.layers = []  # first segment, segments, bits of a plane, k
        self.sizes = []  # bytes of a plane, by segment
        total = 0
        for layer in plan["layers"]:
            shape = layer["shape"]
            segments, bits = whole(shape["segments"], 1, 1 << 14), whole(shape["segmentBits"], 1, 1 << 24)
            total += segments * bits
            if layer["firstSegment"] != len(self.sizes) or len(self.layers) == 32 or total > 1 << 36:
                raise ValueError("these layers are not those of a filter")
            bits //= self.planes * (4 if plan["counting"] is True else 1)
            self.layers.append((len(self.sizes), segments, bits, whole(shape["numHashFunctions"], 1, 255)))
            self.sizes += [(bits + 7) // 8] * segments
            if bits == 0 or len(self.sizes) > 1 << 14:
                raise ValueError("these segments are not those of a filter")
        if not self.layers:
            raise ValueError("no layers")


class Copy:
    """The content as of one AT. Never changes: the next AT makes another, which shares the planes that are equal."""

    def __init__(self, plan, planes, marks, resume, since):
        self.plan, self.planes, self.marks, self.resume, self.since = plan, planes, marks, resume, since

    def age(self):
        return max(now - since for now, since in zip(clocks(), self.since))

    def clocks_differ(self, begin):
        monotonic, wall = (now - was for now, was in zip(clocks(), begin))
        return abs(wall - monotonic) > 1

    def might_contain(self, element):
        h1, h2 = self.plan.hash(element)
        rings = self.plan.planes

        def g(i):
            z = (h1 + i * h2) & MASK
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
            z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
            return z ^ z >> 31

        for first, segments, bits, k in self.plan.layers:
            at = (first + (g(0) * segments >> 64)) * rings
            for pages in self.planes[at : at + rings]:
                if pages is not None:
                    for i in range(1, k + 1):
                        x = g(i) * bits >> 64
                        page = pages[x >> 15]
                        if page is None or not page[x >> 3 & 4095] & 0x80 >> (x & 7):
                            break
                    else:
                        return True
        return False


class Draft:
    """The content that the next AT completes. Pages that tests may read are copied before a change."""

    def __init__(self, plan, known):
        self.planes, self.marks = [], {}
        self.plan = plan
        if known is not None and known.plan.incarnation == plan.incarnation:
            self.plan, self.planes, self.marks = known.plan, list(known.planes), dict(known.marks)
        self.own = {}  # by plane: its pages that no test can read yet
        self.extend(plan)

    def extend(self, plan):
        if plan.planes != self.plan.planes or plan.layers[: len(self.plan.layers)] != self.plan.layers:
            raise ValueError("the plan of an incarnation has changed")
        self.plan = plan
        self.planes += [None] * (len(plan.sizes) * plan.planes - len(self.planes))

    def apply(self, kind, payload):
        segment, plane = struct.unpack_from(">IH", payload)
        mark, size = payload[6:14], self.plan.sizes[segment]
        whole(plane, 0, self.plan.planes - 1)
        whole(len(payload), 14, MAX_FRAME)
        index = segment * self.plan.planes + plane
        if kind == FILL:
            offset = struct.unpack_from(">I", payload, 14)[0]
            content = payload[18:]
            whole(offset + len(content), 0, size)
            while content:
                part = content[: PAGE - offset % PAGE]
                if any(part) or self._has(index, offset // PAGE):
                    page = self._page(index, offset // PAGE)
                    page[offset % PAGE : offset % PAGE + len(part)] = part
                offset, content = offset + len(part), content[len(part) :]
        elif kind == PATCH:
            for (entry,) in struct.iter_unpack(">I", payload[14:]):
                offset = whole(entry >> 8, 0, size - 1)
                if entry & 255 or self._has(index, offset // PAGE):
                    self._page(index, offset // PAGE)[offset % PAGE] = entry & 255
        else:
            whole(len(payload), 14, 14)
            self.planes[index] = None
            self.own.pop(index, None)
        self.marks[segment] = mark

    def _has(self, index, number):
        pages = self.planes[index]
        return pages is not None and pages[number] is not None

    def _page(self, index, number):
        own = self.own.get(index)
        if own is None:
            own = self.own[index] = set()
            size = self.plan.sizes[index // self.plan.planes]
            self.planes[index] = list(self.planes[index] or [None] * -(-size // PAGE))
        pages = self.planes[index]
        if number not in own:
            pages[number] = bytearray(pages[number] or PAGE)
            own.add(number)
        return pages[number]

    def complete(self, at, begin):
        _as_of, sent, stream, resume = struct.unpack(">QIQ16s", at)
        self.own = {}
        # No delay is negative: if it seems so, the clocks of the two machines have different rates.
        since = tuple(min(now, was + stream / 1000) - sent / 1000 for now, was in zip(clocks(), begin))
        return Copy(self.plan, list(self.planes), dict(self.marks), resume, since)


def murmur3_x64_128(data):
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F

    def rotl(x, r):
        return ((x << r) | (x >> (64 - r))) & MASK

    def mix_k1(k):
        return rotl(k * c1 & MASK, 31) * c2 & MASK

    def mix_k2(k):
        return rotl(k * c2 & MASK, 33) * c1 & MASK

    def fmix(h):
        h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
        h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
        return h ^ h >> 33

    h1 = h2 = 0
    blocks = len(data) // 16 * 16
    for i in range(0, blocks, 16):
        h1 ^= mix_k1(int.from_bytes(data[i : i + 8], "little"))
        h1 = ((rotl(h1, 27) + h2) * 5 + 0x52DCE729) & MASK
        h2 ^= mix_k2(int.from_bytes(data[i + 8 : i + 16], "little"))
        h2 = ((rotl(h2, 31) + h1) * 5 + 0x38495AB5) & MASK
    h1 ^= mix_k1(int.from_bytes(data[blocks : blocks + 8], "little"))
    h2 ^= mix_k2(int.from_bytes(data[blocks + 8 :], "little"))
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    h1, h2 = fmix(h1), fmix(h2)
    h1 = (h1 + h2) & MASK
    return h1, (h2 + h1) & MASK


def keyed(origin, secret):
    """The hash function of a keyed filter."""

    def hkdf(salt, info, length):
        return hmac.digest(hmac.digest(salt, secret, "sha256"), info + b"\x01", "sha256")[:length]

    if not secret:
        raise Refused(f"a keyed filter: pass the secret {origin['secretId']}")
    secret_id = hkdf(bytes(32), b"bloomgate secret id", 8).hex()
    if secret_id != origin["secretId"]:
        raise Refused(f"the filter needs the secret {origin['secretId']}, not {secret_id}")
    key = struct.unpack("<4Q", hkdf(bytes.fromhex(origin["salt"]), b"bloomgate-1-keyed", 32))
    return lambda element: highway_hash_128(key, element)


def swap(word):
    return word >> 32 | (word & LOW) << 32


def highway_hash_128(key, data):
    mul0 = [0xDBE6D5D5FE4CCE2F, 0xA4093822299F31D0, 0x13198A2E03707344, 0x243F6A8885A308D3]
    mul1 = [0x3BD39E10CB0EF593, 0xC0ACF169B5F18A8C, 0xBE5466CF34E90C6C, 0x452821E638D01377]
    v0 = [m ^ k for m, k in zip(mul0, key)]
    v1 = [m ^ swap(k) for m, k in zip(mul1, key)]

    def zipper(to, source):
        for j in (0, 2):
            both = struct.pack("<2Q", source[j], source[j + 1])
            mixed = bytes(both[i] for i in (3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7))
            for i, word in enumerate(struct.unpack("<2Q", mixed)):
                to[j + i] = (to[j + i] + word) & MASK

    def update(packet):
        for i in range(4):
            v1[i] = (v1[i] + mul0[i] + packet[i]) & MASK
            mul0[i] ^= (v1[i] & LOW) * (v0[i] >> 32)
            v0[i] = (v0[i] + mul1[i]) & MASK
            mul1[i] ^= (v0[i] & LOW) * (v1[i] >> 32)
        zipper(v0, v1)
        zipper(v1, v0)

    full = len(data) // 32 * 32
    for i in range(0, full, 32):
        update(struct.unpack_from("<4Q", data, i))
    rest, r = data[full:], len(data) - full
    if r:
        packet = bytearray(32)
        q = r & ~3
        packet[:q] = rest[:q]
        if r >= 16:
            packet[28:] = rest[-4:]
        elif r > q:
            packet[16:19] = bytes((rest[q], rest[q + (r - q >> 1)], rest[-1]))
        for i in range(4):
            v0[i] = (v0[i] + (r << 32) + r) & MASK
            high, low = v1[i] >> 32, v1[i] & LOW
            v1[i] = ((high << r | high >> 32 - r) & LOW) << 32 | (low << r | low >> 32 - r) & LOW
        update(struct.unpack("<4Q", packet))
    for _ in range(6):
        update([swap(v0[i]) for i in (2, 3, 0, 1)])
    return tuple((v0[i] + mul0[i] + v1[i + 2] + mul1[i + 2]) & MASK for i in (0, 1))


def main(url, filter, max_age):
    secret = bytes.fromhex(os.environ.get("BLOOMGATE_SECRET", ""))
    follower = Follower(url, filter, os.environ.get("BLOOMGATE_KEY"), float(max_age), secret)
    for line in sys.stdin:
        age = follower.age()
        try:
            answer = "maybe" if follower.might_contain(line.rstrip("\n")) else "no"
            print(f"{answer} {age:.3f}", flush=True)
        except TooOld as error:
            print(f"too-old {age:.3f} {error}", flush=True)
    follower.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
