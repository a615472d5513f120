/**
 * The budget of the inspector: a slider whose steps multiply, since 200 more tokens matter at 400 and not at 16,000. What
 * is asked of the service is made here too, so that the same question is the same question to the cache.
 */
import { USUAL_BUDGET } from "../../../api/budget";

/** Tokens; less the service refuses. */
export const LEAST = 200;
/** Tokens; more than any model reads with care. */
export const MOST = 32_000;
/** Steps of the slider. */
export const STEPS = 60;
/** Milliseconds without a key or a move after which the service is asked. */
export const REST = 350;

/** The budget at a step, rounded as people say numbers. */
export function budgetAt(step: number): number {
  const place = Math.min(Math.max(step, 0), STEPS) / STEPS;
  const exact = LEAST * (MOST / LEAST) ** place;
  const unit = 10 ** (Math.floor(Math.log10(exact)) - 1) / 2;
  return Math.min(Math.max(Math.round(exact / unit) * unit, LEAST), MOST);
}

/** The step that stands nearest to a budget. */
export function stepOf(budget: number): number {
  const kept = Math.min(Math.max(budget, LEAST), MOST);
  return Math.round((STEPS * Math.log(kept / LEAST)) / Math.log(MOST / LEAST));
}

/** A budget as it stands in an address: anything may stand there. */
export function budgetFrom(said: string): number {
  const value = Math.round(Number(said));
  return said.trim() === "" || !Number.isFinite(value)
    ? USUAL_BUDGET
    : Math.min(Math.max(value, LEAST), MOST);
}

export interface Asked {
  query?: string;
  budget: number;
  zone: string;
  persona_id?: string;
  /** Looking at a context does not count as using its memories. */
  record: false;
}

/** What is asked of the service; a question of blanks is none: then the chat's own open question counts. */
export function askedFor(question: string, budget: number, zone: string, persona: string | null): Asked {
  const query = question.trim();
  return {
    ...(query ? { query } : {}),
    budget,
    zone,
    ...(persona ? { persona_id: persona } : {}),
    record: false,
  };
}
