import hashlib
import json
import struct

BLOCK_BYTES = 65536


def read_filter(path):
    """The header of an exported filter, and k and the bitmaps of each layer.

    The rings of a window filter are returned as layers; the header has begin, end, elements and set bits of each.

    Raises ValueError if the file is incomplete.
    """
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
        if magic != b"\x89BLOOM\r\n" or version != 1 or length > 8192:
            raise ValueError("not the file of a filter, version 1")
        header = json.loads(take(length))
        take(4)  # a checksum; the digest at the end covers all
        layers = []
        segment = 0
        for layer in header["layers"]:
            shape = layer["shape"]
            size = (shape["segmentBits"] + 7) // 8
            bitmaps = []
            for _ in range(shape["segments"]):
                bitmap = bytearray()
                while len(bitmap) < size:
                    expect(b"BLCK", segment, len(bitmap))
                    bitmap += take(min(BLOCK_BYTES, size - len(bitmap)))
                    take(4)
                if "window" in header:
                    expect(b"RING", segment)
                    take(16)  # the latest time of an element, the number of the newest ring
                    rings = [struct.unpack(">4Q", take(32)) for _ in range(header["numRings"])]
                    header.setdefault("rings", []).append(rings)
                    take(4)
                expect(b"SEGM", segment)
                bits_set, _insertions, _snapshot = struct.unpack(">QQI", take(20))
                if bin(int.from_bytes(bitmap, "big")).count("1") != bits_set:
                    raise ValueError(f"segment {segment} has other bits")
                take(4)
                bitmaps.append(bytes(bitmap))
                segment += 1
            rings = header.get("numRings", 1)
            for ring in range(rings):
                part = slice(ring * size // rings, (ring + 1) * size // rings)
                layers.append((shape["numHashFunctions"], [b[part] for b in bitmaps]))
        expect(b"DONE")
        if file.read() != digest.digest():
            raise ValueError("the digest is wrong")
    return header, layers
