package bloomgate

import (
	"encoding/binary"
	"math/bits"
)

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

// Locate returns the segment of an element and its k bits there.
func Locate(element []byte, segments, segmentBits uint64, k int) (segment uint64, offsets []uint64) {
	h1, h2 := murmur3x64128(element)
	g := func(i int) uint64 {
		z := h1 + uint64(i)*h2
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	segment, _ = bits.Mul64(g(0), segments)
	offsets = make([]uint64, k)
	for i := range offsets {
		offsets[i], _ = bits.Mul64(g(i+1), segmentBits)
	}
	return segment, offsets
}

// MightContain returns false if the element was certainly not added. The bitmaps are the bytes of
// each segment, in order.
func MightContain(bitmaps [][]byte, k int, element []byte) bool {
	segment, offsets := Locate(element, uint64(len(bitmaps)), uint64(len(bitmaps[0]))*8, k)
	for _, x := range offsets {
		if bitmaps[segment][x/8]&(0x80>>(x%8)) == 0 {
			return false
		}
	}
	return true
}

// Count returns an upper limit for the number of times the element was added. The counters are the
// bytes of each segment, in order.
func Count(counters [][]byte, k int, element []byte) byte {
	segment, places := Locate(element, uint64(len(counters)), uint64(len(counters[0]))*2, k)
	least := byte(15)
	for _, x := range places {
		if counter := counters[segment][x/2] >> (4 * (1 - x%2)) & 15; counter < least {
			least = counter
		}
	}
	return least
}
