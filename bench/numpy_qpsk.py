#!/usr/bin/env python3
"""The QPSK chain in NumPy, as fast as we know how to write it: bits, symbols, noise, LLR, hard decisions, BER.

Usage: numpy_qpsk.py BITS [generator|randomstate]
`generator` (PCG64, float32 ziggurat normals) is the fastest form; `randomstate` draws the legacy stream that Noema draws.
Works in blocks so that memory stays in the cache; prints one JSON line.
"""
import json
import sys
import time

import numpy as np

BLOCK = 1 << 18
SNR_DB = 6.0


def chain(bits_total: int, legacy: bool) -> dict:
    sigma2 = np.float32(10 ** (-SNR_DB / 10))
    amplitude = np.float32(np.sqrt(0.5))
    scale = np.float32(np.sqrt(sigma2 / 2))
    llr_scale = np.float32(2 * np.sqrt(2) / sigma2)
    random = np.random.RandomState(23) if legacy else np.random.Generator(np.random.PCG64(23))
    errors = 0
    start = time.perf_counter()
    for done in range(0, bits_total, BLOCK):
        n = min(BLOCK, bits_total - done)
        if legacy:
            bits = random.randint(0, 2, n).astype(np.uint8)
            noise = random.randn(n).astype(np.float32)
        else:
            raw = np.frombuffer(random.bytes((n + 7) // 8), np.uint8)
            bits = np.unpackbits(raw, count=n)
            noise = random.standard_normal(n, dtype=np.float32)
        # Interleaved real and imaginary parts are just n real dimensions.
        received = (1 - 2 * bits.astype(np.int8)).astype(np.float32)
        received *= amplitude
        noise *= scale
        received += noise
        llr = received * llr_scale
        decided = (llr < 0).view(np.uint8)
        errors += int(np.count_nonzero(decided != bits))
    seconds = time.perf_counter() - start
    return {"form": "randomstate" if legacy else "generator", "bits": bits_total, "seconds": seconds,
            "ber": errors / bits_total, "numpy": np.__version__}


if __name__ == "__main__":
    print(json.dumps(chain(int(float(sys.argv[1])), len(sys.argv) > 2 and sys.argv[2] == "randomstate")))
