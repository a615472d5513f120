"""The Python API: `AsyncMemory`, `AsyncChat` and `AsyncTools`, and their generated synchronous forms."""
