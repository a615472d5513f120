/** Why a memory was found: the terms of its score, and what brought it, in words. */
import type { Explain } from "../memory";

export interface Term {
  name: string;
  /** 0–1. */
  value: number;
  meaning: string;
}

export function termsOf(explain: Explain): Term[] {
  return [
    {
      name: "similarity",
      value: explain.similarity,
      meaning: explain.asked
        ? "1, because the question asks for just this fact"
        : `meaning ${explain.cosine.toFixed(2)} and words ${explain.bm25.toFixed(2)}`,
    },
    { name: "recency", value: explain.recency, meaning: "1 for today, less with every day" },
    {
      name: "frequency",
      value: explain.frequency,
      meaning: "how many candidates mention the same entity",
    },
    {
      name: "plausibility",
      value: explain.plausibility,
      meaning: "a factor; below 1 when others are far more similar",
    },
  ];
}

/** Matched by what, and at which place. */
export function matchedBy(explain: Explain): string {
  if (explain.asked) return "asked for by its key";
  const arms = [
    explain.vector_rank === null ? "" : `meaning (${ordinal(explain.vector_rank)})`,
    explain.text_rank === null ? "" : `words (${ordinal(explain.text_rank)})`,
  ].filter(Boolean);
  return arms.length ? `by ${arms.join(" and ")}` : "by its entity";
}

const plural = new Intl.PluralRules("en", { type: "ordinal" });
const ENDS: Record<string, string> = { one: "st", two: "nd", few: "rd", other: "th" };

export function ordinal(place: number): string {
  return `${place}${ENDS[plural.select(place)]}`;
}
