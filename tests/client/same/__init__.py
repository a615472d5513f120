"""The engine's own tests of the verbs, run over HTTP: a client must not tell whether the engine is here or there.

Left out are tests of what no client sees (flushing, the worker, files of the store), of what the wire rounds or counts
otherwise, and those that take long and say no more over HTTP than in the process.
"""
