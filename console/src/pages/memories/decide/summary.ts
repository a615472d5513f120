/** A run of the curator in one line. */
import { count } from "../consequences";
import type { Curation } from "../memory";

type Counted = Record<"folds" | "archived" | "raised" | "proposals" | "merged", readonly unknown[]>;

export function summary(run: Counted | Curation): string {
  return [
    run.folds.length ? `${count(run.folds.length, "fold")} of duplicates` : "",
    run.archived.length ? `${run.archived.length.toLocaleString("en")} archived` : "",
    run.raised.length ? `${run.raised.length.toLocaleString("en")} made more important` : "",
    run.merged.length ? count(run.merged.length, "pair of names merged", "pairs of names merged") : "",
    run.proposals.length ? count(run.proposals.length, "decision for you", "decisions for you") : "",
  ]
    .filter(Boolean)
    .join(", ");
}
