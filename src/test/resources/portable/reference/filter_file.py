import hashlib
import json
import struct

BLOCK_BYTES = 65536


def read_filter(path):
    """The header and the bitmaps of an exported filter; raises ValueError if it is not whole."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:

        def take(count):
            data = file.read(count)
            if len(data) != count:
                raise ValueError("the file is cut off")
            digest.update(data)
            return data

        def expect(tag, *fields):
            layout = struct.Struct(">4s" + "IQ"[: len(fields)])
            if layout.unpack(take(layout.size)) != (tag, *fields):
                raise ValueError(f"not a {tag} with {fields}")

        magic, version, length = struct.unpack(">8sII", take(16))
        if magic != b"\x89BLOOM\r\n" or version != 1 or length > 4096:
            raise ValueError("not the file of a filter, version 1")
        header = json.loads(take(length))
        take(4)  # a checksum; the digest at the end covers all
        size = (header["segmentBits"] + 7) // 8
        bitmaps = []
        for segment in range(header["segments"]):
            bitmap = bytearray()
            while len(bitmap) < size:
                expect(b"BLCK", segment, len(bitmap))
                bitmap += take(min(BLOCK_BYTES, size - len(bitmap)))
                take(4)
            expect(b"SEGM", segment)
            bits_set, _insertions, _snapshot = struct.unpack(">QQI", take(20))
            if bin(int.from_bytes(bitmap, "big")).count("1") != bits_set:
                raise ValueError(f"segment {segment} has other bits")
            take(4)
            bitmaps.append(bytes(bitmap))
        expect(b"DONE")
        if file.read() != digest.digest():
            raise ValueError("the digest is wrong")
    return header, bitmaps
