import { describe, expect, it } from "vitest";
import { relative } from "./relative-time";

const NOW = new Date("2026-03-01T12:00:00Z");

describe("relative", () => {
  it.each([
    ["2026-03-01T11:59:55Z", "now"],
    ["2026-03-01T11:59:20Z", "40 seconds ago"],
    ["2026-03-01T11:00:00Z", "1 hour ago"],
    ["2026-02-28T12:00:00Z", "yesterday"],
    ["2026-03-02T12:00:00Z", "tomorrow"],
    ["2025-12-01T12:00:00Z", "3 months ago"],
    ["2024-03-01T12:00:00Z", "2 years ago"],
  ])("says of %s: %s", (at, said) => {
    expect(relative(new Date(at), NOW)).toBe(said);
  });
});
