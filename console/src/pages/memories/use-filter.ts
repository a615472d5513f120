/** The filters, read from the address and written to it. */
import { param, setParams, useParam } from "../../router";
import { type Filter, NAMES } from "./filter";

export function useFilter(): [Filter, (changes: Partial<Filter>) => void] {
  // The names are fixed, so the hooks are always the same and in the same order.
  // biome-ignore lint/correctness/useHookAtTopLevel: one hook a name
  const filter = Object.fromEntries(NAMES.map((name) => [name, useParam(name)[0]])) as Filter;
  return [filter, setParams];
}

/** The filters as they are now. */
export function filterNow(): Filter {
  return Object.fromEntries(NAMES.map((name) => [name, param(name)])) as Filter;
}

/** Every filter taken away. */
export const NO_FILTER = Object.fromEntries(NAMES.map((name) => [name, ""])) as Filter;
