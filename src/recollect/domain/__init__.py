"""The rules of memory: frozen values and pure functions, one concept a file.

Nothing here reads a clock, a file, a database or the network; `now`, ids and vectors are passed in.
Everyone may import the domain; the domain imports only itself, `recollect.settings` and `recollect.errors`.
"""
