import hashlib
import json
import struct

BLOCK_BYTES = 65536


def ring_count(window):
    """R, the number of rings of a segment."""
    slices = window["slices"]
    return slices + (min(max(2 * slices, 16), 64) if window["seconds"] else 1)


def read_filter(path):
    """The plan of an exported filter, and k and the bitmaps of each layer.

    The rings of a window filter are returned as layers; `rings` of the plan has begin, end, elements and set bits.

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
        plan = json.loads(take(length))["plan"]
        take(4)  # a checksum; the digest at the end covers all
        num_rings = ring_count(plan["window"]) if "window" in plan else 1
        layers = []
        segment = 0
        for layer in plan["layers"]:
            shape = layer["shape"]
            size = (shape["segmentBits"] + 7) // 8
            bitmaps = []
            for _ in range(shape["segments"]):
                bitmap = bytearray()
                while len(bitmap) < size:
                    expect(b"BLCK", segment, len(bitmap))
                    bitmap += take(min(BLOCK_BYTES, size - len(bitmap)))
                    take(4)
                if "window" in plan:
                    expect(b"RING", segment)
                    take(16)  # the latest time of an element, the number of the newest ring
                    rings = [struct.unpack(">4Q", take(32)) for _ in range(num_rings)]
                    plan.setdefault("rings", []).append(rings)
                    take(4)
                expect(b"SEGM", segment)
                bits_set, _insertions, _snapshot = struct.unpack(">QQI", take(20))
                if bin(int.from_bytes(bitmap, "big")).count("1") != bits_set:
                    raise ValueError(f"segment {segment} has other bits")
                take(4)
                bitmaps.append(bytes(bitmap))
                segment += 1
            for ring in range(num_rings):
                part = slice(ring * size // num_rings, (ring + 1) * size // num_rings)
                layers.append((shape["numHashFunctions"], [b[part] for b in bitmaps]))
        expect(b"DONE")
        if file.read() != digest.digest():
            raise ValueError("the digest is wrong")
    return plan, layers
