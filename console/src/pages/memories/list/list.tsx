/** The memories that fit, newest first; or what a search found, best first. */
import { Button, Text } from "@mantine/core";
import { NotebookText, SearchX } from "lucide-react";
import { Answer } from "../../../parts/answer";
import { EmptyState } from "../../../parts/empty-state";
import { Name } from "../../../parts/name";
import { VirtualList } from "../../../parts/virtual-list";
import { useParam } from "../../../router";
import { type Filter, isFiltered } from "../filter";
import classes from "../memories.module.css";
import type { Hit, Memory } from "../memory";
import { NO_FILTER, useFilter } from "../use-filter";
import { useList, useSearch } from "../use-memories";
import { Row } from "./row";

export function List({ onAdd }: { onAdd: (() => void) | null }) {
  const [filter] = useFilter();
  return filter.q ? <Found filter={filter} /> : <Listed filter={filter} onAdd={onAdd} />;
}

function Listed({ filter, onAdd }: { filter: Filter; onAdd: (() => void) | null }) {
  const list = useList(filter);
  return (
    <Answer of={list}>
      {({ pages }) => (
        <Rows
          items={pages.flatMap((page) => page.memories)}
          onEnd={list.more}
          empty={isFiltered(filter) || filter.as_of ? <Nothing /> : <Start onAdd={onAdd} />}
        />
      )}
    </Answer>
  );
}

function Found({ filter }: { filter: Filter }) {
  const found = useSearch(filter);
  return (
    <Answer of={found}>
      {({ memories }) => (
        <>
          <Text size="xs" c="dimmed" mb={4} aria-live="polite">
            {memories.length} found, best first, among what{" "}
            {filter.persona ? (
              <>
                <Name>{filter.persona}</Name> knows
              </>
            ) : (
              "all personas share"
            )}
            {filter.as_of && ", as it was then"}.
          </Text>
          <div className={classes.fill}>
            <Rows items={memories} empty={<Nothing />} />
          </div>
        </>
      )}
    </Answer>
  );
}

interface RowsProps {
  items: (Memory | Hit)[];
  onEnd?: () => void;
  empty: React.ReactNode;
}

function Rows({ items, onEnd, empty }: RowsProps) {
  const [chosen, choose] = useParam("memory");
  if (!items.length) return empty;
  return (
    <VirtualList
      label="Memories"
      items={items}
      keyOf={(item) => item.memory_id}
      chosen={chosen}
      onChoose={(item) => choose(item.memory_id, { push: true })}
      estimate={64}
      {...(onEnd ? { onEnd } : {})}
    >
      {(item) => <Row memory={item} />}
    </VirtualList>
  );
}

function Nothing() {
  const [, setFilter] = useFilter();
  return (
    <EmptyState
      icon={SearchX}
      title="No matches"
      action={
        <Button variant="default" size="xs" onClick={() => setFilter(NO_FILTER)}>
          Show everything
        </Button>
      }
    >
      Remove a filter, choose another time, or search for other words.
    </EmptyState>
  );
}

function Start({ onAdd }: { onAdd: (() => void) | null }) {
  return (
    <EmptyState
      icon={NotebookText}
      title="No memories yet"
      action={
        onAdd && (
          <Button size="xs" onClick={onAdd}>
            Add a memory
          </Button>
        )
      }
    >
      Memories are created from your chats. You can also add one yourself.
    </EmptyState>
  );
}
