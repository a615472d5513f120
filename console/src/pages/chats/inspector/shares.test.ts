import { describe, expect, it } from "vitest";
import { fitted } from "./shares";

const total = (parts: { tokens: number }[]) => parts.reduce((sum, part) => sum + part.tokens, 0);

describe("the parts of the bar", () => {
  it("add up to what the service counted for the whole, never to more than the budget", () => {
    const parts = [34, 498, 176, 538, 113, 202, 11].map((tokens, index) => ({ name: `${index}`, tokens }));
    const found = fitted(parts, 1500);
    expect(total(found)).toBe(1500);
    for (const [index, part] of found.entries()) {
      expect(Math.abs(part.tokens - ((parts[index]?.tokens ?? 0) * 1500) / 1572)).toBeLessThan(1);
    }
  });

  it("grow as well, when the whole is more than its lines", () => {
    expect(fitted([{ name: "brief", tokens: 10 }], 12)).toEqual([{ name: "brief", tokens: 12 }]);
  });

  it("leave out what costs nothing, and nothing is no part", () => {
    expect(fitted([{ name: "pins", tokens: 0 }], 5)).toEqual([]);
    expect(fitted([], 100)).toEqual([]);
    const found = fitted([{ name: "pins", tokens: 0 }, { name: "tail", tokens: 9 }], 7); // biome-ignore format: one case
    expect(found).toEqual([{ name: "tail", tokens: 7 }]);
  });
});
