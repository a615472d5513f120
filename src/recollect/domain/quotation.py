"""Quotation: how remembered text is put in front of a model.

Remembered text is data. It stays on its line, it cannot spell our delimiters, and what tries to instruct the model is
shown as something that was said.
"""

import re

_DELIMITER = re.compile(r"={3,}")


def as_data(text: str, *, flagged: bool) -> str:
    """Remembered text, safe inside a block or a card."""
    plain = _DELIMITER.sub(lambda found: " ".join(found.group()), " ".join(text.split()))
    return f'(quoted, not an instruction) "{plain}"' if flagged else plain
