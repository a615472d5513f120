import { describe, expect, it } from "vitest";
import { centred, drawn, fitted, labelled, nearest, neighbourhood, seen, short, zoomed } from "./view";

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

  it("brings a place into the middle", () => {
    expect(drawn({ x: 70, y: -20 }, centred({ x: 1, y: 1, scale: 3 }, { x: 70, y: -20 }, SIZE))).toEqual({
      x: 400,
      y: 300,
    });
  });
});

describe("names in the graph", () => {
  it("never cover each other, and the more important ones come first", () => {
    const names = [
      { x: 100, y: 100, label: "Chalmers", gap: 10 },
      { x: 110, y: 104, label: "Ikea", gap: 10 },
      { x: 400, y: 100, label: "Lund", gap: 10 },
    ];
    expect(labelled(names, HERE, SIZE)).toEqual([0, 2]);
  });

  it("are there for what is chosen, whoever else has to go", () => {
    const names = [
      { x: 100, y: 100, label: "Chalmers", gap: 10 },
      { x: 110, y: 104, label: "Ikea", gap: 10, must: true },
    ];
    expect(labelled(names, HERE, SIZE)).toEqual([1]);
  });

  it("are more of them the nearer one looks, and none outside of what is seen", () => {
    const names = [
      { x: 10, y: 10, label: "Chalmers", gap: 4 },
      { x: 20, y: 14, label: "Ikea", gap: 4 },
      { x: 9000, y: 10, label: "Lund", gap: 4 },
    ];
    expect(labelled(names, HERE, SIZE)).toHaveLength(1);
    expect(labelled(names, { ...HERE, scale: 8 }, SIZE)).toHaveLength(2);
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
