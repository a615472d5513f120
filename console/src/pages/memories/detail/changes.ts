/** An entry of a memory's history as lines that a person reads: which field, what it was, what it became. */
import type { Change } from "../memory";

export interface Line {
  field: string;
  old: string;
  new: string;
}

const FIELDS: Record<string, string> = {
  entity_refs: "mentions",
  memory_key: "key",
  valid_to: "true until",
  valid_from: "true from",
  persona_id: "persona",
  source_message_ids: "said in",
  superseded_by: "replaced by",
  folded_into: "folded into",
};

/** A value in words; nothing for what is empty. */
export function said(value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  if (Array.isArray(value)) return value.map(said).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(Math.round(value * 100) / 100);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The line itself says when. */
const UNREAD = ["updated_at"];

/** The fields that changed; those whose words are the same, or which nobody reads, are left out. */
export function linesOf(entry: Pick<Change, "old" | "new">): Line[] {
  const fields = [...new Set([...Object.keys(entry.old), ...Object.keys(entry.new)])];
  return fields
    .filter((field) => !UNREAD.includes(field))
    .map((field) => ({
      field: FIELDS[field] ?? field,
      old: said(entry.old[field]),
      new: said(entry.new[field]),
    }))
    .filter((line) => line.old !== line.new);
}

/** What had happened by a moment; everything for no moment. */
export function until<Entry extends Pick<Change, "at">>(entries: Entry[], moment: string): Entry[] {
  return moment
    ? entries.filter((entry) => new Date(entry.at).getTime() <= new Date(moment).getTime())
    : entries;
}
