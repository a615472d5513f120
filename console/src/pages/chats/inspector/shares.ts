/**
 * How a budget is spent, for the bar. Sections are counted line by line, and joined texts cost a little less than their
 * lines: the parts are brought to the number that the service counted for the whole, so that the bar never lies.
 */
import type { TokenPart } from "../../../parts/token-bar";

/** Parts that add up to `whole`, each as near to its share as whole numbers allow; those without tokens go. */
export function fitted(parts: TokenPart[], whole: number): TokenPart[] {
  const sum = parts.reduce((total, part) => total + part.tokens, 0);
  if (sum <= 0 || whole <= 0) return [];
  const exact = parts.map((part) => (part.tokens / sum) * whole);
  const floors = exact.map(Math.floor);
  let left = whole - floors.reduce((total, floor) => total + floor, 0);
  const byRest = exact
    .map((value, index) => ({ index, rest: value - Math.floor(value) }))
    .sort((one, other) => other.rest - one.rest || one.index - other.index);
  for (const { index } of byRest) {
    if (left <= 0) break;
    floors[index] = (floors[index] ?? 0) + 1;
    left -= 1;
  }
  return parts.map((part, index) => ({ ...part, tokens: floors[index] ?? 0 })).filter((part) => part.tokens);
}
