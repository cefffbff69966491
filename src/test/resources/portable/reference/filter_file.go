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

// Header has the fields of an exported filter that tests of elements need.
type Header struct {
	HashScheme       string `json:"hashScheme"`
	ElementCodec     string `json:"elementCodec"`
	Segments         uint32 `json:"segments"`
	SegmentBits      uint64 `json:"segmentBits"`
	NumHashFunctions int    `json:"numHashFunctions"`
}

// ReadFilter returns the header and the bitmaps of an exported filter, or an error if it is not
// whole.
func ReadFilter(path string) (header Header, bitmaps [][]byte, err error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return header, nil, err
	}
	if len(file) < sha256.Size {
		return header, nil, errors.New("the file is cut off")
	}
	end := len(file) - sha256.Size
	if digest := sha256.Sum256(file[:end]); !bytes.Equal(digest[:], file[end:]) {
		return header, nil, errors.New("the digest is wrong")
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
	if magic != "\x89BLOOM\r\n" || version != 1 || length > 4096 {
		return header, nil, errors.New("not the file of a filter, version 1")
	}
	if err := json.Unmarshal(take(uint64(length)), &header); err != nil {
		return header, nil, err
	}
	take(4) // a checksum; the digest at the end covers all
	size := (header.SegmentBits + 7) / 8
	for segment := uint32(0); segment < header.Segments && !cut; segment++ {
		var bitmap []byte
		for offset := uint64(0); offset < size && !cut; offset += blockBytes {
			tag, of := string(take(4)), number()
			if tag != "BLCK" || of != segment || binary.BigEndian.Uint64(take(8)) != offset {
				return header, nil, errors.New("a block is missing")
			}
			length := size - offset
			if length > blockBytes {
				length = blockBytes
			}
			bitmap = append(bitmap, take(length)...)
			take(4)
		}
		if string(take(4)) != "SEGM" || number() != segment {
			return header, nil, errors.New("the end of a segment is missing")
		}
		take(8 + 8 + 4 + 4) // bits set, insertions, snapshot, a checksum
		bitmaps = append(bitmaps, bitmap)
	}
	if string(take(4)) != "DONE" || len(rest) > 0 || cut {
		return header, nil, errors.New("the end is missing")
	}
	return header, bitmaps, nil
}
