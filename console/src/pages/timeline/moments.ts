/** When sessions were, in words. */
const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric" });

/** Put together here: browsers do not agree on the comma between the two. */
function day(at: Date): string {
  return `${WEEKDAY.format(at)} ${DATE.format(at)}`;
}

/** `Thu 12 Nov, 08:15–08:31`. */
export function span(from: string, until: string): string {
  const [start, end] = [new Date(from), new Date(until)];
  const [first, last] = [CLOCK.format(start), CLOCK.format(end)];
  if (day(start) !== day(end)) return `${day(start)}, ${first} – ${day(end)}, ${last}`;
  return `${day(start)}, ${first === last ? first : `${first}–${last}`}`;
}

/** `26 minutes`, `1 hour 5 minutes`. */
export function lasted(from: string, until: string): string {
  const minutes = Math.round((new Date(until).getTime() - new Date(from).getTime()) / 60_000);
  if (minutes < 1) return "under a minute";
  const parts: [number, string][] = [
    [Math.floor(minutes / 60), "hour"],
    [minutes % 60, "minute"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`)
    .join(" ");
}

export function month(at: string): string {
  return MONTH.format(new Date(at));
}

/** Whether a month begins with this one in a list that is newest first. */
export function beginsMonth(times: string[], index: number): boolean {
  const [here, before] = [times[index], times[index - 1]];
  return here !== undefined && (before === undefined || month(here) !== month(before));
}
