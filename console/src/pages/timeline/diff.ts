/** Two texts side by side, line by line: what stayed, what went, what came, and within a changed line which words. */
import { diffArrays, diffWordsWithSpace } from "diff";

export interface Piece {
  text: string;
  /** It is only on this side. */
  own: boolean;
}

export interface Row {
  kind: "same" | "changed" | "gone" | "new";
  /** Null: there is nothing on this side. */
  before: Piece[] | null;
  after: Piece[] | null;
}

/** Characters of a line of which words are compared; beyond that the line as a whole is another one. */
const WORDS_OF = 2000;
/** How much of two lines must be shared, by characters, for them to be one line that was changed. */
const ALIKE = 0.6;
/** Pairs of lines at one place that are compared word by word; a text that is new as a whole needs none of it. */
const PAIRS = 2500;
/** Lines that may differ before comparing is given up: everything went, and everything came. */
const MOST = 4000;

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim());
}

function whole(text: string, own: boolean): Piece[] {
  return [{ text, own }];
}

function gone(text: string): Row {
  return { kind: "gone", before: whole(text, true), after: null };
}

function come(text: string): Row {
  return { kind: "new", before: null, after: whole(text, true) };
}

/** The words of two lines, and how much of the longer one they share. */
function compared(before: string, after: string): { shared: number; row: Row } | null {
  if (before.length > WORDS_OF || after.length > WORDS_OF) return null;
  const parts = diffWordsWithSpace(before, after);
  const same = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.length), 0);
  const row: Row = {
    kind: "changed",
    before: parts.filter((part) => !part.added).map(({ value, removed }) => ({ text: value, own: removed })),
    after: parts.filter((part) => !part.removed).map(({ value, added }) => ({ text: value, own: added })),
  };
  return { shared: same / Math.max(1, before.length, after.length), row };
}

/** Lines that went and lines that came at one place: those that are versions of one stand beside each other. */
function paired(before: string[], after: string[]): Row[] {
  if (before.length * after.length > PAIRS) return [...before.map(gone), ...after.map(come)];
  const rows: Row[] = [];
  const left = [...after];
  for (const line of before) {
    let best: { shared: number; row: Row; at: number } | null = null;
    for (const [at, other] of left.entries()) {
      const found = compared(line, other);
      if (found && found.shared >= ALIKE && found.shared > (best?.shared ?? 0)) best = { ...found, at };
    }
    if (best) {
      rows.push(...left.splice(0, best.at).map(come), best.row);
      left.shift();
    } else rows.push(gone(line));
  }
  return [...rows, ...left.map(come)];
}

export function sideBySide(before: string, after: string): Row[] {
  const changes = diffArrays(lines(before), lines(after), { maxEditLength: MOST });
  if (!changes) return [...lines(before).map(gone), ...lines(after).map(come)];
  const rows: Row[] = [];
  let went: string[] = [];
  let came: string[] = [];
  const settle = () => {
    rows.push(...paired(went, came));
    went = [];
    came = [];
  };
  for (const { added, removed, value } of changes) {
    if (removed) went.push(...value);
    else if (added) came.push(...value);
    else {
      settle();
      rows.push(
        ...value.map(
          (text): Row => ({ kind: "same", before: whole(text, false), after: whole(text, false) }),
        ),
      );
    }
  }
  settle();
  return rows;
}

/** Rows in stretches: what stayed can be folded away, what changed cannot. */
export interface Stretch {
  same: boolean;
  rows: Row[];
}

export function stretches(rows: Row[]): Stretch[] {
  const found: Stretch[] = [];
  for (const row of rows) {
    const same = row.kind === "same";
    const last = found.at(-1);
    if (last?.same === same) last.rows.push(row);
    else found.push({ same, rows: [row] });
  }
  return found;
}

/** How many lines came and went, for whoever only wants to know whether to look. */
export function tally(rows: Row[]): { come: number; gone: number; changed: number } {
  const count = (kind: Row["kind"]) => rows.filter((row) => row.kind === kind).length;
  return { come: count("new"), gone: count("gone"), changed: count("changed") };
}
