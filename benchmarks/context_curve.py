"""How much of the evidence a context of each budget holds, as a table and as the plot in the docs.

    python -m benchmarks.context_curve FOLDER [--only NAME …] [--draw]

The SVG is written by hand, without a library; its colours are readable on a light and on a dark page.
"""

import argparse
import asyncio
import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from benchmarks.labelled_data import EVERY, add_options, folder_of, load
from benchmarks.quality.context_curve import BUDGETS, curve
from benchmarks.quality.replay import workbench
from benchmarks.quality.run import tasks
from recollect.settings import Settings

IMAGE = Path(__file__).parents[1] / "docs" / "images" / "context_curve.svg"
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 56, 52
#: Middle tones, told apart by people who see few colours; each line has its name beside it.
COLOURS = ("#3b82c4", "#d97706", "#2a9d6f", "#b45aa8", "#c2483c")
#: What each set is called.
TITLES = {"locomo": "LoCoMo", "lme_s48": "LongMemEval, 48", "lme_pool": "LongMemEval, pool", "beam100k": "BEAM 100K", "realmem": "RealMem"}  # fmt: skip
#: The least distance of two names, in pixels.
_APART = 16.0

Curves = Mapping[str, Sequence[tuple[int, float]]]


def svg(curves: Curves) -> str:
    """The picture: budgets on a logarithmic axis, questions with all of their evidence inside in per cent."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="t d">',
        '<title id="t">Evidence inside the context, by its budget of tokens</title>',
        f'<desc id="d">{escape(_told(curves))}</desc>',
        "<style>text{font:13px system-ui,sans-serif;fill:#57606a}.h{font-weight:600;font-size:15px}"
        ".g{stroke:#8b949e;stroke-opacity:.35}@media(prefers-color-scheme:dark){text{fill:#c9d1d9}}</style>",
        f'<text class="h" x="{LEFT}" y="26">Questions whose evidence is all inside the context</text>',
    ]
    parts += [*_vertical(), *_horizontal()]
    heights = _spread({name: _y(points[-1][1]) for name, points in curves.items()})
    for (name, points), colour in zip(curves.items(), COLOURS, strict=False):
        path = " ".join(f"{_x(budget):.1f},{_y(share):.1f}" for budget, share in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [
            f'<circle cx="{_x(budget):.1f}" cy="{_y(share):.1f}" r="3.5" fill="{colour}"><title>{escape(name)}, '
            f"{budget:,} tokens: {100 * share:.0f} %</title></circle>"
            for budget, share in points
        ]
        label = f'x="{WIDTH - RIGHT + 12}" y="{heights[name] + 4:.1f}" style="fill:{colour}"'
        parts.append(f"<text {label}>{escape(name)}</text>")
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _vertical() -> list[str]:
    """The axis of shares."""
    lines: list[str] = []
    for percent in range(0, 101, 20):
        y = _y(percent / 100)
        lines.append(f'<line class="g" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>')
    return lines


def _horizontal() -> list[str]:
    """The axis of budgets."""
    y = HEIGHT - BOTTOM + 22
    lines = [
        f'<text x="{_x(budget):.1f}" y="{y}" text-anchor="middle">{budget:,}</text>' for budget in BUDGETS
    ]
    middle = (LEFT + WIDTH - RIGHT) / 2
    lines.append(f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">tokens of the context</text>')
    return lines


def _spread(heights: Mapping[str, float]) -> dict[str, float]:
    """Names beside their lines, moved down where they would lie over each other."""
    placed: dict[str, float] = {}
    lowest = -math.inf
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        lowest = max(height, lowest + _APART)
        placed[name] = lowest
    return placed


def _x(budget: int) -> float:
    first, last = math.log(BUDGETS[0]), math.log(BUDGETS[-1])
    return LEFT + 12 + (math.log(budget) - first) / (last - first) * (WIDTH - LEFT - RIGHT - 24)


def _y(share: float) -> float:
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)


def _told(curves: Curves) -> str:
    return "; ".join(
        f"{name}: " + ", ".join(f"{100 * share:.0f} % at {budget}" for budget, share in points)
        for name, points in curves.items()
    )


async def measured(options: argparse.Namespace) -> dict[str, list[tuple[int, float]]]:
    """The curves of all sets."""
    found: dict[str, list[tuple[int, float]]] = {}
    for name in options.only or EVERY:
        dataset = load(folder_of(options), name)
        async with workbench(cache=options.cache, settings=Settings.from_env()) as bench:
            points = await curve(bench, tasks(dataset, questions=options.limit))
        found[TITLES[name]] = [(point.budget, point.all_evidence) for point in points]
        print(
            f"| {TITLES[name]}, {points[0].questions} questions | budget | all evidence | mean share | tokens used |"
        )
        for point in points:
            print(
                f"| | {point.budget:,} | {100 * point.all_evidence:.1f} % | {100 * point.evidence:.1f} % | {point.tokens:,.0f} |"
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.context_curve", description=__doc__)
    add_options(parser)
    parser.add_argument("--only", choices=EVERY, action="append", help="one set; may be repeated")
    parser.add_argument("--draw", action="store_true", help=f"write docs/images/{IMAGE.name}")
    options = parser.parse_args()
    curves = asyncio.run(measured(options))
    if options.draw:
        IMAGE.write_text(svg(curves), "utf-8")


if __name__ == "__main__":
    main()
