"""The models in the package: `minilm` turns texts into vectors, `tokens` counts tokens.

Nothing here uses a store, a user or a memory. onnxruntime and tiktoken are loaded at first use, never on import.
"""
