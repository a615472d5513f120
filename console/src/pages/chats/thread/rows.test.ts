import { describe, expect, it } from "vitest";
import { bandAt, bandKey, blocksOf, heat, moved, type Row, rowsOf, type Summary } from "./rows";

const segment = (start: number, end: number) =>
  ({ id: `${start}`, start_position: start, end_position: end, message_count: end - start + 1 }) as Summary;
const shown = (rows: Row[]) => rows.map((row) => (row.kind === "band" ? row.key : row.position));
const NONE = new Set<string>();
const THERE = () => false;

describe("the rows of a thread", () => {
  it("hide what is folded behind its band, and show the rest", () => {
    expect(shown(rowsOf(7, [segment(1, 3), segment(4, 5)], NONE))).toEqual(["band 1", "band 4", 6, 7]);
  });

  it("show the originals under a band that is open", () => {
    const rows = rowsOf(6, [segment(1, 2), segment(3, 5)], new Set([bandKey(3)]));
    expect(shown(rows)).toEqual(["band 1", "band 3", 3, 4, 5, 6]);
    expect(rows[2]).toMatchObject({ folded: true });
    expect(rows.at(-1)).toMatchObject({ folded: false });
  });

  it("lose nothing between segments, in whatever order they come", () => {
    expect(shown(rowsOf(6, [segment(5, 6), segment(2, 3)], NONE))).toEqual([1, "band 2", 4, "band 5"]);
  });

  it("know the band of a position", () => {
    const segments = [segment(1, 3), segment(4, 5)];
    expect(bandAt(4, segments)).toBe(bandKey(4));
    expect(bandAt(6, segments)).toBeNull();
  });

  it("name the blocks of messages that they need, once each", () => {
    expect(blocksOf([undefined, ...rowsOf(301, [], NONE).slice(98)])).toEqual([0, 1, 2, 3]);
    expect(blocksOf(rowsOf(100, [], NONE))).toEqual([0]);
  });
});

describe("keys", () => {
  const rows = rowsOf(30, [segment(1, 10)], NONE);

  it("move by one, by many and to the ends", () => {
    expect(moved(rows, 5, "ArrowDown", THERE)).toBe(6);
    expect(moved(rows, 5, "ArrowUp", THERE)).toBe(4);
    expect(moved(rows, 5, "PageDown", THERE)).toBe(13);
    expect(moved(rows, 5, "Home", THERE)).toBe(0);
    expect(moved(rows, 5, "End", THERE)).toBe(20);
    expect(moved(rows, 5, "x", THERE)).toBeNull();
  });

  it("stay at an end, and pass over what was deleted", () => {
    expect(moved(rows, 0, "ArrowUp", THERE)).toBe(0);
    expect(moved(rows, 20, "ArrowDown", THERE)).toBe(20);
    expect(moved(rows, 1, "ArrowDown", (position) => position === 12)).toBe(3);
    expect(moved(rows, 1, "End", (position) => position > 25)).toBe(15);
  });
});

it("importance warms slowly at first, and stays between its ends", () => {
  expect(heat(10)).toBe(100);
  expect(heat(99)).toBe(100);
  expect(heat(-1)).toBe(heat(0));
  expect(heat(5)).toBeLessThan(25);
  expect(heat(8)).toBeGreaterThan(2 * heat(5));
});
