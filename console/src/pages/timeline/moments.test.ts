import { describe, expect, it } from "vitest";
import { beginsMonth, lasted, span } from "./moments";

describe("moments", () => {
  it("say the day once when it is one", () => {
    expect(span("2026-11-12T08:15:00", "2026-11-12T08:31:00")).toBe("Thu 12 Nov, 08:15–08:31");
    expect(span("2026-11-12T08:15:00", "2026-11-12T08:15:40")).toBe("Thu 12 Nov, 08:15");
    expect(span("2026-11-12T23:50:00", "2026-11-13T00:10:00")).toBe("Thu 12 Nov, 23:50 – Fri 13 Nov, 00:10");
  });

  it("say how long", () => {
    expect(lasted("2026-11-12T08:00:00Z", "2026-11-12T08:00:20Z")).toBe("under a minute");
    expect(lasted("2026-11-12T08:00:00Z", "2026-11-12T08:26:00Z")).toBe("26 minutes");
    expect(lasted("2026-11-12T08:00:00Z", "2026-11-12T09:01:00Z")).toBe("1 hour 1 minute");
  });

  it("head each month once", () => {
    const times = ["2026-11-12T12:00:00Z", "2026-11-01T12:00:00Z", "2026-10-31T12:00:00Z"];
    expect(times.map((_, index) => beginsMonth(times, index))).toEqual([true, false, true]);
    expect(beginsMonth(times, 9)).toBe(false);
  });
});
