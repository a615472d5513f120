import { describe, expect, it } from "vitest";
import { drawn, fitted, labelled, nearest, neighbourhood, seen, short, zoomed } from "./view";

const SIZE = { width: 800, height: 600 };
const HERE = { x: 0, y: 0, scale: 1 };

describe("the view", () => {
  it("shows every place at first", () => {
    const places = [
      { x: -3000, y: 20 },
      { x: 500, y: -900 },
      { x: 10, y: 700 },
    ];
    const view = fitted(places, SIZE);
    for (const place of places) expect(seen(place, view, SIZE)).toBe(true);
  });

  it("copes with nothing, with one place and with no room", () => {
    expect(fitted([], SIZE).scale).toBe(1);
    expect(drawn({ x: 7, y: 7 }, fitted([{ x: 7, y: 7 }], SIZE))).toEqual({ x: 400, y: 300 });
    expect(fitted([{ x: 7, y: 7 }], { width: 0, height: 0 }).scale).toBe(1);
  });

  it("holds what is under the pointer when it comes nearer, and ends somewhere", () => {
    const at = { x: 200, y: 150 };
    const near = zoomed({ x: 30, y: 40, scale: 2 }, 1.5, at);
    expect(near.scale).toBe(3);
    const before = { x: (at.x - 30) / 2, y: (at.y - 40) / 2 };
    expect(drawn(before, near).x).toBeCloseTo(at.x);
    expect(drawn(before, near).y).toBeCloseTo(at.y);
    expect(zoomed(near, 1e9, at).scale).toBe(8);
    expect(zoomed(near, 1e-9, at).scale).toBe(0.1);
  });
});

describe("names in the graph", () => {
  /** As many as stand on one spot: more than have room around it. */
  const crowd = ["Chalmers", "Ericsson", "Sahlgrenska", "AstraZeneca", "Västerås", "Halmstad"].map(
    (label) => ({
      x: 300,
      y: 100,
      label,
      gap: 4,
    }),
  );

  it("never cover each other, and the more important ones come first", () => {
    const placed = labelled(crowd, HERE, SIZE);
    expect(placed.map(({ index }) => index)).toEqual([0, 1]);
    for (const [place, one] of placed.entries()) {
      for (const other of placed.slice(0, place)) {
        expect(Math.abs(one.y - other.y) >= 15 || Math.abs(one.x - other.x) > 40).toBe(true);
      }
    }
  });

  it("are there for what is chosen, whoever else has to go", () => {
    const chosen = crowd.map((name, index) => ({ ...name, rank: index === 5 ? (2 as const) : (0 as const) }));
    expect(labelled(chosen, HERE, SIZE).map(({ index }) => index)).toEqual([5, 0]);
  });

  it("are more of them the nearer one looks, and none outside of what is seen", () => {
    const names = crowd.map((name, index) => ({ ...name, x: 10 + 12 * index, y: 20 }));
    names.push({ x: 9000, y: 10, label: "Lund", gap: 4 });
    expect(labelled(names, HERE, SIZE).length).toBeLessThan(6);
    expect(labelled(names, { ...HERE, scale: 8 }, SIZE)).toHaveLength(6);
  });

  it("stay within the picture", () => {
    const [placed] = labelled([{ x: 799, y: 599, label: "Alexander Palmgren", gap: 4 }], HERE, SIZE);
    expect(placed?.x).toBeLessThan(750);
    expect(placed?.y).toBeLessThan(600);
  });

  it("have as much room as their letters need", () => {
    const beside = (label: string) => [
      { x: 300, y: 100, label, gap: 4 },
      { x: 420, y: 100, label, gap: 4 },
    ];
    const heights = (label: string) => new Set(labelled(beside(label), HERE, SIZE).map(({ y }) => y)).size;
    expect(heights("little titli")).toBe(1);
    expect(heights("WWWWWWWWWWWW")).toBe(2);
    expect(heights("東京都港区芝公園四丁目二")).toBe(2);
  });

  it("are cut, but never within a character", () => {
    expect(short("Jo")).toBe("Jo");
    expect([...short("🙂".repeat(500))]).toHaveLength(22);
    expect(short("x".repeat(100_000))).toHaveLength(22);
  });
});

it("the pointer finds the nearest point, and none where there is none", () => {
  const places = [
    { x: 10, y: 10, gap: 5 },
    { x: 24, y: 10, gap: 5 },
  ];
  const view = { x: 0, y: 0, scale: 2 };
  expect(nearest(places, view, { x: 22, y: 21 })).toBe(0);
  expect(nearest(places, view, { x: 46, y: 19 })).toBe(1);
  expect(nearest(places, view, { x: 200, y: 200 })).toBe(-1);
});

it("neighbours know each other", () => {
  const found = neighbourhood([
    { a: "x", b: "y" },
    { a: "z", b: "x" },
  ]);
  expect([...(found.get("x") ?? [])]).toEqual(["y", "z"]);
  expect(found.get("q")).toBeUndefined();
});
