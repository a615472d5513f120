import { describe, expect, it } from "vitest";
import { momentOf, stepOf, steps } from "./moments";

const first = new Date("2026-01-05T00:00:00Z");
const now = new Date("2026-01-15T12:00:00Z");

describe("the slider through time", () => {
  it("has a step a day, and a last one for now", () => {
    expect(steps(first, now)).toBe(11);
    expect(steps(now, now)).toBe(1);
  });

  it("says nothing at its end: now is not a moment of the past", () => {
    expect(momentOf(11, first, now)).toBe("");
    expect(momentOf(2, first, now)).toBe("2026-01-07T00:00:00.000Z");
  });

  it("stands where a moment is, and at now for nonsense", () => {
    expect(stepOf("2026-01-07T00:00:00.000Z", first, now)).toBe(2);
    expect(stepOf("", first, now)).toBe(11);
    expect(stepOf("yesterday", first, now)).toBe(11);
    expect(stepOf("1999-01-01T00:00:00Z", first, now)).toBe(0);
  });
});
