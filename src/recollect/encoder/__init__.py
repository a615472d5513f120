"""The only door to vectors and to token counts.

`embedder` is the interface; `minilm` runs inside the process with the model that the package carries;
`remote` asks any OpenAI-compatible server; `tokens` counts tokens. Nothing here knows a store, a user or a
memory. Heavy libraries (onnxruntime, httpx2, tiktoken) are loaded at first use, never by an import.
"""
