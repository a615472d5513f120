/** Dates of todos: what is overdue, in which stretch of time a todo belongs, and dates as the browser's field writes them. */
import type { Shape } from "../../api/client";

export type Todo = Shape<"TodoShape">;

export const STRETCHES = ["Overdue", "Today", "Next seven days", "Later", "Without a date"] as const;
export type Stretch = (typeof STRETCHES)[number];

const DAY = 86_400_000;

/** Only what is open can be late. */
export function isOverdue(todo: Pick<Todo, "due_at" | "status">, now: Date): boolean {
  return todo.status === "open" && todo.due_at !== null && new Date(todo.due_at) < now;
}

export function stretchOf(todo: Pick<Todo, "due_at" | "status">, now: Date): Stretch {
  if (todo.due_at === null) return "Without a date";
  if (isOverdue(todo, now)) return "Overdue";
  const due = new Date(todo.due_at);
  if (due.toDateString() === now.toDateString()) return "Today";
  return due.getTime() - now.getTime() < 7 * DAY ? "Next seven days" : "Later";
}

export type Row = { heading: Stretch; count: number } | { todo: Todo };

/** Todos under the stretch they belong to, the most urgent first; those without a date stay in the order they came in. */
export function rowsByDue(todos: Todo[], now: Date): Row[] {
  return STRETCHES.flatMap((heading): Row[] => {
    const here = todos.filter((todo) => stretchOf(todo, now) === heading);
    here.sort((one, other) => (one.due_at ?? "").localeCompare(other.due_at ?? ""));
    return here.length ? [{ heading, count: here.length }, ...here.map((todo) => ({ todo }))] : [];
  });
}

/** A moment as a `datetime-local` field has it: the reader's own time, to the minute. */
export function toField(at: string | null): string {
  if (!at) return "";
  const moment = new Date(at);
  const pad = (number: number, digits = 2) => String(number).padStart(digits, "0");
  return (
    `${pad(moment.getFullYear(), 4)}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}` +
    `T${pad(moment.getHours())}:${pad(moment.getMinutes())}`
  );
}

/** The moment that such a field names; null: none. */
export function fromField(value: string): string | null {
  const moment = new Date(value);
  return value && !Number.isNaN(moment.getTime()) ? moment.toISOString() : null;
}
