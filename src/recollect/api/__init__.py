"""The Python face: `AsyncMemory` and `AsyncChat`, one method a verb, and their generated synchronous twins."""
