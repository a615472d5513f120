import { describe, expect, it } from "vitest";
import { counted, type Job, lag, sorted } from "./jobs";

const NOW = new Date("2026-03-01T12:00:00Z");
const job = (id: string, status: string, run_at: string) => ({ id, status, run_at }) as Job;
const JOBS = [
  job("later", "pending", "2026-03-01T18:00:00Z"),
  job("due", "pending", "2026-03-01T11:59:30Z"),
  job("runs", "running", "2026-03-01T11:00:00Z"),
  job("dead", "dead", "2026-02-01T11:00:00Z"),
];

describe("jobs", () => {
  it("are counted by how they stand now", () => {
    expect(counted(JOBS, NOW)).toEqual({ running: 1, due: 1, scheduled: 1, dead: 1 });
  });

  it("are late only when they are due", () => {
    expect(lag(JOBS, NOW)).toBe(30);
    expect(lag([], NOW)).toBe(0);
  });

  it("begin with what needs somebody", () => {
    expect(sorted(JOBS, NOW).map(({ id }) => id)).toEqual(["dead", "runs", "due", "later"]);
  });
});
