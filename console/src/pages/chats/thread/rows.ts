/**
 * A thread as rows: folded segments as bands, messages by their positions. Positions are enough to lay out ten thousand
 * messages; what they say is loaded for those that are seen. A position whose message was deleted stays a row of no height.
 */
import type { Shape } from "../../../api/client";

export type Summary = Shape<"SummaryShape">;

export type Row =
  | { kind: "band"; key: string; summary: Summary; open: boolean }
  | { kind: "message"; key: string; position: number; folded: boolean };

/** Messages that are asked for at once. */
export const BLOCK = 100;

export const messageKey = (position: number) => `message ${position}`;
/** Bands are known by where they start: a summary that is written anew gets another id. */
export const bandKey = (start: number) => `band ${start}`;

export function rowsOf(last: number, summaries: readonly Summary[], open: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  let next = 1;
  function messages(end: number, folded: boolean) {
    for (; next <= end; next += 1) {
      rows.push({ kind: "message", key: messageKey(next), position: next, folded });
    }
  }
  for (const summary of [...summaries].sort((one, other) => one.start_position - other.start_position)) {
    messages(summary.start_position - 1, false);
    const key = bandKey(summary.start_position);
    rows.push({ kind: "band", key, summary, open: open.has(key) });
    if (open.has(key)) messages(summary.end_position, true);
    next = Math.max(next, summary.end_position + 1);
  }
  messages(last, false);
  return rows;
}

/** The band that hides a position; null: it is in the open part. */
export function bandAt(position: number, summaries: readonly Summary[]): string | null {
  const found = summaries.find((one) => one.start_position <= position && position <= one.end_position);
  return found ? bandKey(found.start_position) : null;
}

/** The blocks that hold the messages of these rows, in order. */
export function blocksOf(rows: readonly (Row | undefined)[]): number[] {
  const found = new Set<number>();
  for (const row of rows) {
    if (row?.kind === "message") found.add(Math.floor((row.position - 1) / BLOCK));
  }
  return [...found].sort((one, other) => one - other);
}

/** Rows that Page Up and Page Down pass. */
const FAR = 8;
const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: FAR,
  PageUp: -FAR,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The row that a key leads to; null: it leads nowhere. Deleted messages are passed over. */
export function moved(
  rows: readonly Row[],
  from: number,
  key: string,
  gone: (position: number) => boolean,
): number | null {
  const steps = STEPS[key];
  if (steps === undefined) return null;
  const way = Math.sign(steps);
  if (!Number.isFinite(steps)) return there(rows, way > 0 ? rows.length : -1, -way, gone) ?? from;
  let at = from;
  for (let count = 0; count < Math.abs(steps); count += 1) at = there(rows, at, way, gone) ?? at;
  return at;
}

/** The next row in a direction that is there at all. */
function there(
  rows: readonly Row[],
  from: number,
  way: number,
  gone: (position: number) => boolean,
): number | null {
  const backwards = way < 0;
  for (let at = from + way; backwards ? at >= 0 : at < rows.length; at += way) {
    const row = rows[at];
    if (row && (row.kind === "band" || !gone(row.position))) return at;
  }
  return null;
}

/** How warm a message's line is, 0–100: importance 0–10, with what is ordinary kept pale. */
export function heat(importance: number): number {
  const share = Math.min(Math.max(importance, 0), 10) / 10;
  return Math.round(6 + 94 * share ** 3);
}

/** The beginning of a text without its line ends, for where only two lines are shown. */
export function oneLine(text: string): string {
  return text.slice(0, 1000).replace(/\s+/g, " ");
}
