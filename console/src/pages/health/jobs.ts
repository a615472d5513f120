/** Jobs in words: what each kind does, and how many of them stand how. */
import type { Shape } from "../../api/client";

export type Job = Shape<"JobShape">;

const NAMES: Record<string, string> = {
  fold: "Fold a chat into its brief",
  rederive: "Derive anew what an edit changed",
  close_session: "End a session",
  summarise_session: "Summarise a session",
  rolling_summary: "Write the rolling summary",
  spine: "Grow the spine",
  index_messages: "Index messages",
  judge: "Judge what was said",
  curate: "Tidy memories",
};

export function nameOf(kind: string): string {
  return NAMES[kind] ?? kind;
}

export type Standing = "running" | "due" | "scheduled" | "dead";

export function standingOf(job: Pick<Job, "status" | "run_at">, now: Date): Standing {
  if (job.status === "running" || job.status === "dead") return job.status;
  return new Date(job.run_at) <= now ? "due" : "scheduled";
}

export function counted(jobs: Pick<Job, "status" | "run_at">[], now: Date): Record<Standing, number> {
  const counts = { running: 0, due: 0, scheduled: 0, dead: 0 };
  for (const job of jobs) counts[standingOf(job, now)] += 1;
  return counts;
}

/** Seconds for which the job that is due longest has waited. */
export function lag(jobs: Pick<Job, "status" | "run_at">[], now: Date): number {
  const due = jobs.filter((job) => standingOf(job, now) === "due");
  return Math.max(0, ...due.map((job) => (now.getTime() - Date.parse(job.run_at)) / 1000));
}

/** Dead ones first, then what runs, what is due, and what is for later. */
export function sorted(jobs: Job[], now: Date): Job[] {
  const order: Standing[] = ["dead", "running", "due", "scheduled"];
  const place = (job: Job) => order.indexOf(standingOf(job, now));
  return [...jobs].sort((one, other) => place(one) - place(other) || one.run_at.localeCompare(other.run_at));
}
