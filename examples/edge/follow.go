// Package follow follows a filter of Bloomgate, and tests elements in this process. docs/follow.md
// defines the stream.
//
//	follower := follow.New("http://localhost:8080", "products", key, 5*time.Second, nil)
//	err := follower.Ready(10 * time.Second)
//	known, err := follower.MightContain([]byte("4711")) // ErrTooOld instead of a guess
package follow

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	pageBytes    = 4096 // a plane is kept in pages, so that a change copies little
	maxFrame     = 65536
	silence      = 10 * time.Second // after it, a connection is dead
	longestPause = 10 * time.Second // between two attempts, unless the service asks for more
	maxRetry     = 600              // seconds
)

const (
	framePlan = iota + 1
	frameFill
	framePatch
	frameEmpty
	frameAt
	frameEnd
)

// ErrTooOld means that there is no answer, because the copy is older than allowed, or not complete
// yet. It never means "no".
var ErrTooOld = errors.New("no answer from the copy")

// The service or the plan says that this filter cannot be followed like this.
type refused struct{ error }

// What the service sends cannot be right.
type malformed struct{ error }

// Follower has a copy of a filter, and follows it in the background. Its methods may be called by
// many goroutines at once.
type Follower struct {
	path, key string
	secret    []byte
	maxAge    time.Duration
	copy      atomic.Pointer[content] // replaced as a whole by each AT, so that tests need no lock
	stop      context.Context
	cancel    context.CancelFunc
	random    *rand.Rand // only of the background
	anew      bool       // whether the next connection must not continue; only of the background
	late      int        // streams in sequence that were left because they were late; only of the background

	lock    sync.Mutex
	reason  string
	refused bool
	changed chan struct{} // closed at the next change
}

// New begins to follow. The key may be empty; the secret is only for keyed filters.
func New(service, filter, key string, maxAge time.Duration, secret []byte) *Follower {
	path := strings.TrimRight(service, "/") + "/v1/filters/" + url.PathEscape(filter) + "/follow"
	f := &Follower{path: path, key: key, secret: secret, maxAge: maxAge}
	f.reason, f.changed = "no connection yet", make(chan struct{})
	f.random = rand.New(rand.NewSource(time.Now().UnixNano()))
	f.stop, f.cancel = context.WithCancel(context.Background())
	go f.run()
	return f
}

// MightContain returns true for maybe, and false for certainly not.
func (f *Follower) MightContain(element []byte) (bool, error) {
	c := f.copy.Load()
	if c == nil || c.age() > f.maxAge {
		return false, f.why(c)
	}
	return c.mightContain(element), nil
}

// Age returns the age of the copy: every add that was acknowledged before is in it. Before the first
// copy, it is the longest duration.
func (f *Follower) Age() time.Duration {
	if c := f.copy.Load(); c != nil {
		return c.age()
	}
	return math.MaxInt64
}

// Ready waits until elements can be tested. It returns ErrTooOld after the timeout, or if the filter
// cannot be followed.
func (f *Follower) Ready(timeout time.Duration) error {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		f.lock.Lock()
		changed, isRefused := f.changed, f.refused
		f.lock.Unlock()
		if f.Age() <= f.maxAge {
			return nil
		}
		if isRefused {
			return f.why(f.copy.Load())
		}
		select {
		case <-changed:
		case <-timer.C:
			return f.why(f.copy.Load())
		case <-f.stop.Done():
			return f.why(f.copy.Load())
		}
	}
}

// Close stops following. Elements can be tested until the copy is too old.
func (f *Follower) Close() {
	f.cancel()
}

func (f *Follower) why(c *content) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	reason := f.reason
	if reason == "" {
		reason = "nothing has arrived"
	}
	if c == nil {
		return fmt.Errorf("%w: it is not complete yet: %s", ErrTooOld, reason)
	}
	return fmt.Errorf("%w: it is %v old, more than %v: %s", ErrTooOld, c.age(), f.maxAge, reason)
}

func (f *Follower) tell(reason string, isRefused bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.reason, f.refused = reason, isRefused
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *Follower) run() {
	for failures := 0; f.stop.Err() == nil; {
		before := f.copy.Load()
		retry, err := f.follow()
		switch err.(type) {
		case malformed:
			f.anew = true
		}
		f.tell(err.Error(), errors.As(err, &refused{}))
		failures++
		if f.copy.Load() != before {
			failures = 0
		}
		pause := f.backOff(failures)
		if retry >= 0 { // an END may say 0, but only a stream that brought something is followed at once
			if failures == 0 {
				pause = 0
			}
			pause = math.Max(pause, retry*(1+f.random.Float64()/4))
		}
		select {
		case <-time.After(time.Duration(pause * float64(time.Second))):
		case <-f.stop.Done():
		}
	}
}

// The seconds until the next attempt.
func (f *Follower) backOff(failures int) float64 {
	backoff := 0.25 * math.Exp2(float64(failures))
	return math.Min(longestPause.Seconds(), backoff) * (1 + f.random.Float64()) / 2
}

// One connection. Returns why it ended, and the seconds until the next attempt if the service said so.
func (f *Follower) follow() (retry float64, err error) {
	known := f.copy.Load()
	if f.anew {
		known = nil
	}
	method, body := http.MethodGet, []byte(nil)
	if known != nil {
		marks := make(map[int]string, len(known.marks))
		for segment, mark := range known.marks {
			marks[segment] = hex.EncodeToString(mark[:])
		}
		resume := hex.EncodeToString(known.resume)
		method = http.MethodPost
		body, _ = json.Marshal(map[string]any{"incarnation": known.plan.incarnation, "resume": resume, "marks": marks})
	}
	ctx, cancel := context.WithCancel(f.stop)
	defer cancel()
	alive := time.AfterFunc(silence, cancel)
	defer alive.Stop()
	request, err := http.NewRequestWithContext(ctx, method, f.path, bytes.NewReader(body))
	if err != nil {
		return -1, refused{err}
	}
	if known != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if f.key != "" {
		request.Header.Set("Authorization", "Bearer "+f.key)
	}
	begin := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return -1, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return f.failure(response)
	}
	f.anew = false
	return f.read(bufio.NewReaderSize(response.Body, maxFrame), known, begin, alive)
}

func (f *Follower) failure(response *http.Response) (retry float64, err error) {
	var problem struct{ Code, Detail string }
	_ = json.NewDecoder(io.LimitReader(response.Body, maxFrame)).Decode(&problem)
	err = fmt.Errorf("%d %s: %s", response.StatusCode, problem.Code, problem.Detail)
	retry = -1
	if seconds, e := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 32); e == nil {
		retry = math.Min(float64(seconds), maxRetry)
	}
	switch status := response.StatusCode; {
	case status == 401 || status == 403:
		err = refused{err}
	case status == 404 || status == 429 || status < 400 || status >= 500:
	default: // it does not accept what it should continue
		f.anew = true
	}
	return retry, err
}

func (f *Follower) read(in io.Reader, known *content, begin time.Time, alive *time.Timer) (float64, error) {
	var d *draft
	var late time.Time // since when, if it is
	patience := time.Duration(f.backOff(f.late) * float64(time.Second))
	head, buffer := make([]byte, 5), make([]byte, maxFrame)
	for {
		if _, err := io.ReadFull(in, head); err != nil {
			return -1, fmt.Errorf("the connection was lost: %w", err)
		}
		length := binary.BigEndian.Uint32(head[1:])
		if length > maxFrame {
			return -1, malformed{fmt.Errorf("a frame of %d bytes", length)}
		}
		payload := buffer[:length]
		if _, err := io.ReadFull(in, payload); err != nil {
			return -1, fmt.Errorf("the connection was lost: %w", err)
		}
		kind := head[0]
		if kind < framePlan || kind > frameEnd {
			continue
		}
		alive.Reset(silence)
		switch {
		case kind == frameEnd:
			var end struct {
				Code, Detail      string
				RetryAfterSeconds *float64
			}
			if err := json.Unmarshal(payload, &end); err != nil || end.RetryAfterSeconds == nil {
				return -1, malformed{fmt.Errorf("an end without retryAfterSeconds: %v", err)}
			}
			retry := math.Max(0, math.Min(maxRetry, *end.RetryAfterSeconds))
			if end.Code == "" {
				return retry, errors.New("the stream has ended")
			}
			return retry, fmt.Errorf("%s: %s", end.Code, end.Detail)
		case kind == framePlan:
			p, err := newPlan(payload, f.secret)
			if err != nil {
				return -1, err
			}
			switch {
			case d == nil && known != nil && known.plan.incarnation == p.incarnation:
				d = newDraft(known)
				err = d.extend(p)
			case d != nil && d.plan.incarnation == p.incarnation:
				err = d.extend(p)
			default:
				d = newDraft(&content{plan: p, planes: make([]plane, len(p.sizes)*p.planes)})
			}
			if err != nil {
				return -1, malformed{err}
			}
		case d == nil:
			return -1, malformed{errors.New("a frame before the first plan")}
		case kind == frameAt:
			c, err := d.complete(payload, begin)
			if err != nil {
				return -1, malformed{err}
			}
			f.copy.Store(c)
			f.tell("", false)
			monotonic, wall := since(begin)
			if math.Abs((wall - monotonic).Seconds()) > 1 {
				return 0, errors.New("a clock was set: connect to measure the age again")
			}
			sent := time.Duration(binary.BigEndian.Uint32(payload[8:])) * time.Millisecond
			switch {
			case c.age()-sent <= f.maxAge/2:
				late, f.late = time.Time{}, 0
			case late.IsZero():
				late = time.Now()
			case time.Since(late) > patience:
				f.late++
				return 0, errors.New("the stream is late: connect again")
			}
		default:
			if err := d.apply(kind, payload); err != nil {
				return -1, malformed{err}
			}
		}
	}
}

// The time since a moment by the monotonic clock and by the wall clock.
func since(moment time.Time) (monotonic, wall time.Duration) {
	now := time.Now()
	return now.Sub(moment), now.Round(0).Sub(moment.Round(0))
}

type layer struct {
	first, segments, bits uint64 // the bits of a plane
	k                     int
}

// The shape of a filter's planes, which never changes.
type plan struct {
	incarnation string
	planes      int
	layers      []layer
	sizes       []int // the bytes of a plane, by segment
	hash        func([]byte) (h1, h2 uint64)
}

// Refuses plans that no filter has.
func newPlan(payload, secret []byte) (*plan, error) {
	var document struct {
		Incarnation string
		Planes      int
		Plan        struct {
			HashScheme string
			HashKey    struct{ SecretId, Salt string }
			Counting   bool
			Layers     []struct {
				FirstSegment int
				Shape        struct{ Segments, SegmentBits, NumHashFunctions int }
			}
		}
	}
	if err := json.Unmarshal(payload, &document); err != nil {
		return nil, malformed{err}
	}
	p := &plan{incarnation: document.Incarnation, planes: document.Planes}
	d := document.Plan
	if p.incarnation == "" || p.planes < 1 || p.planes > 128 || len(d.Layers) < 1 || len(d.Layers) > 32 {
		return nil, malformed{errors.New("not the plan of a filter")}
	}
	switch d.HashScheme {
	case "bloomgate-1":
		p.hash = murmur3x64128
	case "bloomgate-1-keyed":
		key, err := keyOf(d.HashKey.SecretId, d.HashKey.Salt, secret)
		if err != nil {
			return nil, err
		}
		p.hash = func(element []byte) (h1, h2 uint64) { return highwayHash128(key, element) }
	default:
		return nil, refused{fmt.Errorf("hash scheme %s: this reader knows bloomgate-1 and bloomgate-1-keyed", d.HashScheme)}
	}
	total := 0
	for _, l := range d.Layers {
		first, s := len(p.sizes), l.Shape
		if l.FirstSegment != first || s.Segments < 1 || first+s.Segments > 1<<14 || s.SegmentBits < 1 ||
			s.SegmentBits > 1<<24 || s.NumHashFunctions < 1 || s.NumHashFunctions > 255 {
			return nil, malformed{errors.New("a layer that no filter has")}
		}
		width := s.SegmentBits / p.planes
		if d.Counting {
			width /= 4
		}
		total += s.Segments * s.SegmentBits
		if width == 0 || total > 1<<36 {
			return nil, malformed{errors.New("a size that no filter has")}
		}
		p.layers = append(p.layers, layer{uint64(first), uint64(s.Segments), uint64(width), s.NumHashFunctions})
		for i := 0; i < s.Segments; i++ {
			p.sizes = append(p.sizes, (width+7)/8)
		}
	}
	return p, nil
}

// A plane is nil, and so are pages, as long as they have only zeros.
type plane [][]byte

// The content as of one AT. It never changes: the next AT makes another, which shares the planes and
// pages that are equal.
type content struct {
	plan   *plan
	planes []plane
	marks  map[int][8]byte
	resume []byte
	begin  time.Time        // of the request
	less   [2]time.Duration // what to take from the time since then, by either clock
}

func (c *content) age() time.Duration {
	monotonic, wall := since(c.begin)
	monotonic, wall = monotonic-c.less[0], wall-c.less[1]
	if monotonic > wall {
		return monotonic
	}
	return wall
}

func (c *content) mightContain(element []byte) bool {
	h1, h2 := c.plan.hash(element)
	rings := c.plan.planes
	for _, l := range c.plan.layers {
		segment, _ := bits.Mul64(mix64(h1), l.segments)
		at := int(l.first+segment) * rings
		for _, pages := range c.planes[at : at+rings] {
			if pages != nil && pages.hasAll(h1, h2, l) {
				return true
			}
		}
	}
	return false
}

func (pages plane) hasAll(h1, h2 uint64, l layer) bool {
	for i := 1; i <= l.k; i++ {
		x, _ := bits.Mul64(mix64(h1+uint64(i)*h2), l.bits)
		page := pages[x/8/pageBytes]
		if page == nil || page[x/8%pageBytes]&(0x80>>(x%8)) == 0 {
			return false
		}
	}
	return true
}

func mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// The content that the next AT completes. Pages that tests may read are copied before a change.
type draft struct {
	content
	own map[int]map[int]bool // by plane: its pages that no test can read yet
}

func newDraft(from *content) *draft {
	d := &draft{own: map[int]map[int]bool{}}
	d.plan, d.planes, d.marks = from.plan, append([]plane(nil), from.planes...), map[int][8]byte{}
	for segment, mark := range from.marks {
		d.marks[segment] = mark
	}
	return d
}

func (d *draft) extend(p *plan) error {
	isSame := p.planes == d.plan.planes && len(p.layers) >= len(d.plan.layers)
	for i := 0; isSame && i < len(d.plan.layers); i++ {
		isSame = p.layers[i] == d.plan.layers[i]
	}
	if !isSame {
		return errors.New("the plan of an incarnation has changed")
	}
	d.plan = p
	d.planes = append(d.planes, make([]plane, len(p.sizes)*p.planes-len(d.planes))...)
	return nil
}

func (d *draft) apply(kind byte, payload []byte) error {
	if len(payload) < 14 {
		return errors.New("a short frame")
	}
	segment, number := binary.BigEndian.Uint32(payload), int(binary.BigEndian.Uint16(payload[4:]))
	if uint64(segment) >= uint64(len(d.plan.sizes)) || number >= d.plan.planes {
		return errors.New("a plane that the plan does not have")
	}
	size, index, rest := d.plan.sizes[segment], int(segment)*d.plan.planes+number, payload[14:]
	switch {
	case kind == frameFill && len(rest) >= 4:
		offset := int(binary.BigEndian.Uint32(rest))
		if rest = rest[4:]; offset+len(rest) > size {
			return errors.New("bytes behind the end of a plane")
		}
		for len(rest) > 0 {
			part := rest
			if left := pageBytes - offset%pageBytes; len(part) > left {
				part = part[:left]
			}
			if page := d.page(index, offset, size, !isZero(part)); page != nil {
				copy(page[offset%pageBytes:], part)
			}
			offset, rest = offset+len(part), rest[len(part):]
		}
	case kind == framePatch && len(rest)%4 == 0:
		for ; len(rest) > 0; rest = rest[4:] {
			entry := binary.BigEndian.Uint32(rest)
			offset, value := int(entry>>8), byte(entry)
			if offset >= size {
				return errors.New("a byte behind the end of a plane")
			}
			if page := d.page(index, offset, size, value != 0); page != nil {
				page[offset%pageBytes] = value
			}
		}
	case kind == frameEmpty && len(rest) == 0:
		d.planes[index] = nil
		delete(d.own, index)
	default:
		return errors.New("a frame of a wrong length")
	}
	var mark [8]byte
	copy(mark[:], payload[6:])
	d.marks[int(segment)] = mark
	return nil
}

// Returns a page that may be changed; nil if it has only zeros and is not needed.
func (d *draft) page(index, offset, size int, isNeeded bool) []byte {
	number, pages := offset/pageBytes, d.planes[index]
	if !isNeeded && (pages == nil || pages[number] == nil) {
		return nil
	}
	own := d.own[index]
	if own == nil {
		own = map[int]bool{}
		d.own[index] = own
		pages = make(plane, (size+pageBytes-1)/pageBytes)
		copy(pages, d.planes[index])
		d.planes[index] = pages
	}
	if !own[number] {
		page := make([]byte, pageBytes)
		copy(page, pages[number])
		pages[number], own[number] = page, true
	}
	return pages[number]
}

func isZero(part []byte) bool {
	for _, b := range part {
		if b != 0 {
			return false
		}
	}
	return true
}

func (d *draft) complete(payload []byte, begin time.Time) (*content, error) {
	if len(payload) != 36 {
		return nil, errors.New("an AT of another length")
	}
	sent := time.Duration(binary.BigEndian.Uint32(payload[8:])) * time.Millisecond
	stream := binary.BigEndian.Uint64(payload[12:])
	if stream > 1<<42 {
		return nil, errors.New("a stream of a century")
	}
	c := newDraft(&d.content).content
	c.resume, c.begin = append([]byte(nil), payload[20:]...), begin
	c.less[0], c.less[1] = since(begin)
	for i, passed := range c.less {
		// No delay is negative: if it seems so, the clocks of the two machines have different rates.
		if d := time.Duration(stream) * time.Millisecond; d < passed {
			passed = d
		}
		c.less[i] = passed - sent
	}
	d.own = map[int]map[int]bool{}
	return &c, nil
}

func murmur3x64128(data []byte) (h1, h2 uint64) {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	mixK1 := func(k uint64) uint64 { return bits.RotateLeft64(k*c1, 31) * c2 }
	mixK2 := func(k uint64) uint64 { return bits.RotateLeft64(k*c2, 33) * c1 }
	fmix := func(h uint64) uint64 {
		h = (h ^ h>>33) * 0xff51afd7ed558ccd
		h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
		return h ^ h>>33
	}

	rest := data
	for ; len(rest) >= 16; rest = rest[16:] {
		h1 ^= mixK1(binary.LittleEndian.Uint64(rest))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= mixK2(binary.LittleEndian.Uint64(rest[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var tail [16]byte
	copy(tail[:], rest)
	h1 ^= mixK1(binary.LittleEndian.Uint64(tail[:])) ^ uint64(len(data))
	h2 ^= mixK2(binary.LittleEndian.Uint64(tail[8:])) ^ uint64(len(data))
	h1 += h2
	h2 += h1
	h1, h2 = fmix(h1), fmix(h2)
	h1 += h2
	h2 += h1
	return h1, h2
}

// Derives the key of a keyed filter.
func keyOf(secretId, salt string, secret []byte) (key [4]uint64, err error) {
	from, err := hex.DecodeString(salt)
	if err != nil || len(from) != 16 {
		return key, malformed{errors.New("no salt")}
	}
	mac := func(key, message []byte) []byte {
		h := hmac.New(sha256.New, key)
		h.Write(message)
		return h.Sum(nil)
	}
	hkdf := func(salt []byte, info string) []byte { return mac(mac(salt, secret), []byte(info+"\x01")) }
	if len(secret) == 0 {
		return key, refused{fmt.Errorf("a keyed filter: pass the secret %s", secretId)}
	}
	if id := hex.EncodeToString(hkdf(make([]byte, 32), "bloomgate secret id")[:8]); id != secretId {
		return key, refused{fmt.Errorf("the filter needs the secret %s, not %s", secretId, id)}
	}
	return words(hkdf(from, "bloomgate-1-keyed")), nil
}

func words(b []byte) (w [4]uint64) {
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return w
}

type highway struct{ v0, v1, mul0, mul1 [4]uint64 }

func (h *highway) update(packet [4]uint64) {
	for i := range packet {
		h.v1[i] += h.mul0[i] + packet[i]
		h.mul0[i] ^= (h.v1[i] & math.MaxUint32) * (h.v0[i] >> 32)
		h.v0[i] += h.mul1[i]
		h.mul1[i] ^= (h.v0[i] & math.MaxUint32) * (h.v1[i] >> 32)
	}
	zip(&h.v0, &h.v1)
	zip(&h.v1, &h.v0)
}

func zip(to, from *[4]uint64) {
	for j := 0; j < 4; j += 2 {
		var both, mixed [16]byte
		binary.LittleEndian.PutUint64(both[:], from[j])
		binary.LittleEndian.PutUint64(both[8:], from[j+1])
		for i, at := range [16]byte{3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7} {
			mixed[i] = both[at]
		}
		to[j] += binary.LittleEndian.Uint64(mixed[:])
		to[j+1] += binary.LittleEndian.Uint64(mixed[8:])
	}
}

func highwayHash128(key [4]uint64, data []byte) (x, y uint64) {
	h := highway{
		mul0: [4]uint64{0xdbe6d5d5fe4cce2f, 0xa4093822299f31d0, 0x13198a2e03707344, 0x243f6a8885a308d3},
		mul1: [4]uint64{0x3bd39e10cb0ef593, 0xc0acf169b5f18a8c, 0xbe5466cf34e90c6c, 0x452821e638d01377},
	}
	for i, k := range key {
		h.v0[i] = h.mul0[i] ^ k
		h.v1[i] = h.mul1[i] ^ bits.RotateLeft64(k, 32)
	}
	rest := data
	for ; len(rest) >= 32; rest = rest[32:] {
		h.update(words(rest))
	}
	if r := len(rest); r > 0 {
		var packet [32]byte
		q := r &^ 3
		copy(packet[:], rest[:q])
		if r >= 16 {
			copy(packet[28:], rest[r-4:])
		} else if r > q {
			packet[16], packet[17], packet[18] = rest[q], rest[q+(r-q)/2], rest[r-1]
		}
		for i := range h.v0 {
			h.v0[i] += uint64(r)<<32 + uint64(r)
			high, low := bits.RotateLeft32(uint32(h.v1[i]>>32), r), bits.RotateLeft32(uint32(h.v1[i]), r)
			h.v1[i] = uint64(high)<<32 | uint64(low)
		}
		h.update(words(packet[:]))
	}
	for i := 0; i < 6; i++ {
		v := h.v0
		for j := range v {
			v[j] = bits.RotateLeft64(h.v0[j^2], 32)
		}
		h.update(v)
	}
	return h.v0[0] + h.mul0[0] + h.v1[2] + h.mul1[2], h.v0[1] + h.mul0[1] + h.v1[3] + h.mul1[3]
}

// Main is a command: URL FILTER MAX_AGE in seconds. It tests each line of its input. It reads the key
// from BLOOMGATE_KEY, and the secret of a keyed filter, in hexadecimal, from BLOOMGATE_SECRET.
func Main() {
	maxAge, _ := strconv.ParseFloat(os.Args[3], 64)
	secret, _ := hex.DecodeString(os.Getenv("BLOOMGATE_SECRET"))
	f := New(os.Args[1], os.Args[2], os.Getenv("BLOOMGATE_KEY"), time.Duration(maxAge*float64(time.Second)), secret)
	defer f.Close()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		age := f.Age().Seconds()
		known, err := f.MightContain(lines.Bytes())
		switch {
		case err != nil:
			fmt.Printf("too-old %.3f %v\n", age, err)
		case known:
			fmt.Printf("maybe %.3f\n", age)
		default:
			fmt.Printf("no %.3f\n", age)
		}
	}
}
