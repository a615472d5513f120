/** A moment as people say it ("3 days ago"); the exact one on hover, and for machines. */
import { useEffect, useState } from "react";

const STEPS: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** How far a moment is from `now`, in words. */
export function relative(moment: Date, now: Date): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return words.format(Math.round(seconds / size), unit);
  }
  return Math.abs(seconds) < 10 ? "now" : words.format(Math.round(seconds), "second");
}

/** The date and time of the reader's own zone. */
export function exactly(at: string): string {
  return exact.format(new Date(at));
}

export function onDay(at: string): string {
  return day.format(new Date(at));
}

export function RelativeTime({ at }: { at: string }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // The browser's own hint: lists are full of these, and setting up one of the library costs more than the row around it.
    <time dateTime={at} title={exactly(at)} style={{ whiteSpace: "nowrap" }}>
      {relative(new Date(at), now)}
    </time>
  );
}
