/** Numbers of the health page: weeks without a gap, steps of importance, tokens saved, sizes, and metrics as text. */
import type { Shape } from "../../api/client";

export interface Bar {
  label: string;
  value: number;
}

const WEEK = 7 * 86_400_000;
/** Weeks that are shown: two years, and a bar is still wide enough to be seen. */
const WEEKS = 104;

/** How many memories each week brought; weeks that brought none are there too. */
export function weekBars(growth: Shape<"WeekShape">[]): Bar[] {
  const last = growth.at(-1);
  if (!last) return [];
  const counts = new Map(growth.map(({ week, count }) => [week, count]));
  const end = Date.parse(`${last.week}T00:00:00Z`);
  const first = Date.parse(`${growth[0]?.week}T00:00:00Z`);
  const weeks = Math.min(WEEKS, Math.round((end - first) / WEEK) + 1);
  return Array.from({ length: weeks }, (_, at) => {
    const label = new Date(end - (weeks - 1 - at) * WEEK).toISOString().slice(0, 10);
    return { label, value: counts.get(label) ?? 0 };
  });
}

/** How many memories have an importance from 0 to 1, from 1 to 2, and so on to 10. */
export function importanceBars(counts: Record<string, number>): Bar[] {
  return Array.from({ length: 11 }, (_, step) => ({
    label: String(step),
    value: counts[String(step)] ?? 0,
  }));
}

export interface Saving {
  said: number;
  sent: number;
  saved: number;
}

/** What a chat takes in full, what it takes with its brief in place of what was folded, and the difference. */
export function savingOf(stats: Shape<"MemoryStatsShape">): Saving {
  const saved = Math.max(0, stats.coveredTokens - stats.briefTokens);
  return { said: stats.totalTokens, sent: stats.totalTokens - saved, saved };
}

export function summed(savings: Saving[]): Saving {
  return savings.reduce(
    (sum, one) => ({ said: sum.said + one.said, sent: sum.sent + one.sent, saved: sum.saved + one.saved }),
    { said: 0, sent: 0, saved: 0 },
  );
}

/** A share as people say it. */
export function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((part / whole) * 100)} %` : "0 %";
}

export function size(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** The value of a metric without labels in the text of `/metrics`; null: there is none. */
export function metric(text: string, name: string): number | null {
  for (const line of text.split("\n")) {
    const [found, value] = line.split(" ");
    if (found === name && value !== undefined) return Number(value);
  }
  return null;
}
