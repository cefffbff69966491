package bloomgate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
)

const blockBytes = 65536

// Shape describes the bitmaps of a layer.
type Shape struct {
	Segments         uint32 `json:"segments"`
	SegmentBits      uint64 `json:"segmentBits"`
	NumHashFunctions int    `json:"numHashFunctions"`
}

// Layer is a layer of a filter; most filters have one. An element is in the filter if it is in any of them.
type Layer struct {
	Shape   `json:"shape"`
	Bitmaps [][]byte
}

// Window describes how a filter forgets.
type Window struct {
	Seconds    uint64 `json:"seconds"`
	Insertions uint64 `json:"insertions"`
	Slices     int    `json:"slices"`
}

// rings returns R, the number of rings of a segment.
func (window Window) rings() int {
	if window.Insertions > 0 {
		return window.Slices + 1
	}
	rings := 2 * window.Slices
	if rings < 16 {
		rings = 16
	} else if rings > 64 {
		rings = 64
	}
	return window.Slices + rings
}

// Ring has the times and counts of a part of a segment.
type Ring struct {
	Begin, End, Elements, BitsSet uint64
}

// Plan has the fields of an exported filter that are needed to test elements.
type Plan struct {
	HashScheme   string  `json:"hashScheme"`
	ElementCodec string  `json:"elementCodec"`
	Counting     bool    `json:"counting"`
	Window       *Window `json:"window"`
	Layers       []Layer `json:"layers"`
	Rings        [][]Ring
}

// ReadFilter returns the plan of an exported filter with the bitmaps of its layers, or an error
// if the file is incomplete. The rings of a window filter are returned as layers.
func ReadFilter(path string) (plan Plan, err error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return plan, err
	}
	if len(file) < sha256.Size {
		return plan, errors.New("the file is cut off")
	}
	end := len(file) - sha256.Size
	if digest := sha256.Sum256(file[:end]); !bytes.Equal(digest[:], file[end:]) {
		return plan, errors.New("the digest is wrong")
	}
	rest := file[:end]
	cut := false
	take := func(count uint64) []byte {
		if uint64(len(rest)) < count {
			cut = true
			return make([]byte, 8)
		}
		taken := rest[:count]
		rest = rest[count:]
		return taken
	}
	number := func() uint32 { return binary.BigEndian.Uint32(take(4)) }

	magic, version, length := string(take(8)), number(), number()
	if magic != "\x89BLOOM\r\n" || version != 1 || length > 8192 {
		return plan, errors.New("not the file of a filter, version 1")
	}
	header := struct{ Plan *Plan }{&plan}
	if err := json.Unmarshal(take(uint64(length)), &header); err != nil {
		return plan, err
	}
	take(4) // a checksum; the digest at the end covers all
	segment := uint32(0)
	for i := range plan.Layers {
		layer := &plan.Layers[i]
		size := (layer.SegmentBits + 7) / 8
		for end := segment + layer.Segments; segment < end && !cut; segment++ {
			var bitmap []byte
			for offset := uint64(0); offset < size && !cut; offset += blockBytes {
				tag, of := string(take(4)), number()
				if tag != "BLCK" || of != segment || binary.BigEndian.Uint64(take(8)) != offset {
					return plan, errors.New("a block is missing")
				}
				length := size - offset
				if length > blockBytes {
					length = blockBytes
				}
				bitmap = append(bitmap, take(length)...)
				take(4)
			}
			if plan.Window != nil {
				if string(take(4)) != "RING" || number() != segment {
					return plan, errors.New("the rings of a segment are missing")
				}
				take(8 + 8) // the latest time of an element, the number of the newest ring
				long := func() uint64 { return binary.BigEndian.Uint64(take(8)) }
				rings := make([]Ring, plan.Window.rings())
				for i := range rings {
					rings[i] = Ring{long(), long(), long(), long()}
				}
				plan.Rings = append(plan.Rings, rings)
				take(4)
			}
			if string(take(4)) != "SEGM" || number() != segment {
				return plan, errors.New("the end of a segment is missing")
			}
			take(8 + 8 + 4 + 4) // bits set, insertions, snapshot, a checksum
			layer.Bitmaps = append(layer.Bitmaps, bitmap)
		}
	}
	if string(take(4)) != "DONE" || len(rest) > 0 || cut {
		return plan, errors.New("the end is missing")
	}
	if plan.Window != nil {
		plan.Layers = ringsOf(plan.Layers[0], plan.Window.rings())
	}
	return plan, nil
}

func ringsOf(all Layer, rings int) []Layer {
	layers := make([]Layer, rings)
	for ring := range layers {
		layers[ring].NumHashFunctions = all.NumHashFunctions
		for _, bitmap := range all.Bitmaps {
			size := len(bitmap) / rings
			layers[ring].Bitmaps = append(layers[ring].Bitmaps, bitmap[ring*size:(ring+1)*size])
		}
	}
	return layers
}
