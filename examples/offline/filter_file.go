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
}

// Ring has the times and counts of a part of a segment.
type Ring struct {
	Begin, End, Elements, BitsSet uint64
}

// Header has the fields of an exported filter that are needed to test elements.
type Header struct {
	HashScheme   string  `json:"hashScheme"`
	ElementCodec string  `json:"elementCodec"`
	Counting     bool    `json:"counting"`
	Window       *Window `json:"window"`
	NumRings     int     `json:"numRings"`
	Layers       []Layer `json:"layers"`
	Rings        [][]Ring
}

// ReadFilter returns the header of an exported filter with the bitmaps of its layers, or an error
// if the file is incomplete. The rings of a window filter are returned as layers.
func ReadFilter(path string) (header Header, err error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return header, err
	}
	if len(file) < sha256.Size {
		return header, errors.New("the file is cut off")
	}
	end := len(file) - sha256.Size
	if digest := sha256.Sum256(file[:end]); !bytes.Equal(digest[:], file[end:]) {
		return header, errors.New("the digest is wrong")
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
		return header, errors.New("not the file of a filter, version 1")
	}
	if err := json.Unmarshal(take(uint64(length)), &header); err != nil {
		return header, err
	}
	take(4) // a checksum; the digest at the end covers all
	segment := uint32(0)
	for i := range header.Layers {
		layer := &header.Layers[i]
		size := (layer.SegmentBits + 7) / 8
		for end := segment + layer.Segments; segment < end && !cut; segment++ {
			var bitmap []byte
			for offset := uint64(0); offset < size && !cut; offset += blockBytes {
				tag, of := string(take(4)), number()
				if tag != "BLCK" || of != segment || binary.BigEndian.Uint64(take(8)) != offset {
					return header, errors.New("a block is missing")
				}
				length := size - offset
				if length > blockBytes {
					length = blockBytes
				}
				bitmap = append(bitmap, take(length)...)
				take(4)
			}
			if header.Window != nil {
				if string(take(4)) != "RING" || number() != segment {
					return header, errors.New("the rings of a segment are missing")
				}
				take(8 + 8) // the latest time of an element, the number of the newest ring
				long := func() uint64 { return binary.BigEndian.Uint64(take(8)) }
				rings := make([]Ring, header.NumRings)
				for i := range rings {
					rings[i] = Ring{long(), long(), long(), long()}
				}
				header.Rings = append(header.Rings, rings)
				take(4)
			}
			if string(take(4)) != "SEGM" || number() != segment {
				return header, errors.New("the end of a segment is missing")
			}
			take(8 + 8 + 4 + 4) // bits set, insertions, snapshot, a checksum
			layer.Bitmaps = append(layer.Bitmaps, bitmap)
		}
	}
	if string(take(4)) != "DONE" || len(rest) > 0 || cut {
		return header, errors.New("the end is missing")
	}
	if header.Window != nil {
		header.Layers = ringsOf(header.Layers[0], header.NumRings)
	}
	return header, nil
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
