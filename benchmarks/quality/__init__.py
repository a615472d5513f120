"""How well recall finds what was said, and how well the judge tells what is worth keeping: labelled data, measures,
baselines and reports.

Nothing of the product imports this package but the command line and the benchmarks. It asks no language model: a question is
answered well when the turns that hold its evidence come back.
"""
