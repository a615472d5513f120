/** The chosen memory as the list shows it: with its score, or as it was at another time. */
import type { Filter } from "./filter";
import type { Hit, Memory } from "./memory";
import { useList, useSearch } from "./use-memories";

export function useShown(filter: Filter, memoryId: string): Memory | Hit | undefined {
  const list = useList(filter);
  const search = useSearch(filter);
  const items: (Memory | Hit)[] = filter.q
    ? (search.data?.memories ?? [])
    : (list.data?.pages.flatMap((page) => page.memories) ?? []);
  return items.find((item) => item.memory_id === memoryId);
}
