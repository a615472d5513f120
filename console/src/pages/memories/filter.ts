/**
 * What is looked for: the filters as they stand in the address, and as the service is asked for them. A day means the whole
 * of it in the reader's own time zone.
 */

/** The names of the parameters in the address; empty means any. */
export const NAMES = [
  "q",
  "category",
  "status",
  "tag",
  "entity",
  "persona",
  "since",
  "until",
  "as_of",
] as const;

export type Filter = Record<(typeof NAMES)[number], string>;

/** What the address `status=` may say besides nothing, which means what is known now. */
export const STATUSES = [
  { value: "", label: "Current" },
  { value: "ARCHIVED", label: "Archived" },
  { value: "any", label: "Current and archived" },
  { value: "past", label: "All, including replaced" },
];

/** Filters that stand behind the button, not in the open. */
const FOLDED = ["status", "tag", "entity", "since", "until"] as const;

export function countFolded(filter: Filter): number {
  return FOLDED.filter((name) => filter[name]).length;
}

export function isFiltered(filter: Filter): boolean {
  return NAMES.some((name) => filter[name] && name !== "as_of");
}

/** What both the list and the search understand. */
function shared(filter: Filter) {
  return {
    ...(filter.category ? { category: filter.category } : {}),
    ...(filter.entity ? { entity: filter.entity } : {}),
    ...(filter.persona ? { persona_id: filter.persona } : {}),
    ...(startOf(filter.since) ? { since: startOf(filter.since) } : {}),
    ...(startOf(filter.until, 1) ? { until: startOf(filter.until, 1) } : {}),
    ...(filter.as_of ? { as_of: filter.as_of } : {}),
  };
}

/** What `GET /memories` is asked. */
export function listed(filter: Filter, limit: number) {
  const status = filter.status === "past" ? { status: "any", past: true } : { status: filter.status };
  return {
    limit,
    ...shared(filter),
    ...(filter.tag ? { tag: filter.tag } : {}),
    ...(filter.status ? status : {}),
  };
}

/** What `GET /memories/search` is asked; it looks through what is known, whatever the status says. */
export function searched(filter: Filter, limit: number) {
  return {
    query: filter.q,
    limit,
    episodes: 0,
    record: false,
    ...shared(filter),
    ...(filter.tag ? { tag: [filter.tag] } : {}),
  };
}

/** The moment at which a day of the calendar begins here, or so many days later; nothing for what is no day. */
export function startOf(day: string, later = 0): string {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!found) return "";
  const moment = new Date(Number(found[1]), Number(found[2]) - 1, Number(found[3]) + later);
  return Number.isNaN(moment.getTime()) ? "" : moment.toISOString();
}
