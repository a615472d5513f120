"""The decisions, as pure functions over values: importance, duplicates and conflicts, folding, sessions, budgets, trust.

`now`, ids and vectors are arguments; a decision is returned as data and carried out by the engine.
"""
