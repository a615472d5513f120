import { describe, expect, it } from "vitest";
import type { Shape } from "../../api/client";
import { importanceBars, metric, percent, savingOf, size, summed, weekBars } from "./figures";

describe("weekBars", () => {
  it("shows weeks that brought nothing", () => {
    expect(
      weekBars([
        { week: "2026-03-23", count: 4 },
        { week: "2026-04-06", count: 1 },
      ]),
    ).toEqual([
      { label: "2026-03-23", value: 4 },
      { label: "2026-03-30", value: 0 },
      { label: "2026-04-06", value: 1 },
    ]);
    expect(weekBars([])).toEqual([]);
  });

  it("shows the last two years of a long life", () => {
    const bars = weekBars([
      { week: "1970-01-05", count: 1 },
      { week: "2026-04-06", count: 2 },
    ]);
    expect([bars.length, bars.at(-1)]).toEqual([104, { label: "2026-04-06", value: 2 }]);
  });
});

it("every step of importance has a bar", () => {
  const bars = importanceBars({ "3": 2, "10": 1 });
  expect(bars.map((bar) => bar.value)).toEqual([0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1]);
});

describe("savings", () => {
  const stats = (totalTokens: number, coveredTokens: number, briefTokens: number) =>
    ({ totalTokens, coveredTokens, briefTokens }) as Shape<"MemoryStatsShape">;

  it("are what was folded less the brief, and never below nothing", () => {
    expect(savingOf(stats(1000, 800, 100))).toEqual({ said: 1000, sent: 300, saved: 700 });
    expect(savingOf(stats(50, 10, 40))).toEqual({ said: 50, sent: 50, saved: 0 });
    expect(summed([savingOf(stats(1000, 800, 100)), savingOf(stats(50, 0, 0))])).toEqual({
      said: 1050,
      sent: 350,
      saved: 700,
    });
    expect([percent(700, 1050), percent(0, 0)]).toEqual(["67 %", "0 %"]);
  });
});

it("sizes are readable", () => {
  expect([900, 45_000, 4_194_304, 3e9].map(size)).toEqual(["0.9 kB", "45 kB", "4.2 MB", "3.00 GB"]);
});

it("a metric is found by its whole name", () => {
  const text = "# HELP a_b x\na_b_more 7.0\na_b 3.0\nwith{label} 4";
  expect([metric(text, "a_b"), metric(text, "a")]).toEqual([3, null]);
});
