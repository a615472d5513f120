/**
 * A long list of which only what is seen exists: ten thousand rows cost what twenty cost. Rows are measured, so their
 * heights may differ. Keyboard: Tab enters at the chosen row, arrows and Home/End move, Enter opens. Where rows cannot be
 * chosen the list itself scrolls; then the browser does the rest.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./virtual-list.module.css";

export interface VirtualListProps<Item> {
  label: string;
  items: Item[];
  keyOf: (item: Item) => string;
  children: (item: Item, index: number) => ReactNode;
  /** Pixels of an average row; the nearer, the less the scrollbar jumps. */
  estimate?: number;
  /** The row that is chosen; scrolled to when it changes. */
  chosen?: string;
  /** Enter or a click on a row. Without it rows are not focusable and hold controls of their own. */
  onChoose?: (item: Item) => void;
  /** Called near the end: ask for more. */
  onEnd?: () => void;
}

export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, keyOf, onChoose, onEnd, chosen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => props.estimate ?? 56,
    getItemKey: (index) => (items[index] === undefined ? index : keyOf(items[index])),
    overscan: 8,
    // As if it were as high as the window: rows are there at once, and not only when the list was measured.
    initialRect: { width: 0, height: window.innerHeight },
  });
  const seen = rows.getVirtualItems();
  const last = seen.at(-1)?.index ?? -1;

  useEffect(() => {
    if (last >= items.length - 10 && last >= 0) onEnd?.();
  }, [last, items.length, onEnd]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice scrolls, not another page of items
  useEffect(() => {
    const at = chosen ? items.findIndex((item) => keyOf(item) === chosen) : -1;
    if (at < 0) return;
    setActive(at);
    rows.scrollToIndex(at, { align: "auto" });
  }, [chosen, items.length > 0]);

  function focus(index: number) {
    const next = Math.max(0, Math.min(items.length - 1, index));
    setActive(next);
    rows.scrollToIndex(next, { align: "auto" });
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus(),
    );
  }

  function onKeyDown(event: KeyboardEvent, item: Item, index: number) {
    if (event.target !== event.currentTarget) return;
    const step = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }[event.key];
    if (step !== undefined) focus(step);
    else if (event.key === "Enter" || event.key === " ") onChoose?.(item);
    else return;
    event.preventDefault();
  }

  /** To the ends: the browser would glide there, and rows that are measured on the way make it stop. */
  function onScrollKey(event: KeyboardEvent) {
    const ends: Record<string, number> = { Home: 0, End: items.length - 1 };
    const end = ends[event.key];
    if (end === undefined || event.defaultPrevented || !isOwn(event)) return;
    rows.scrollToIndex(end, { align: end ? "end" : "start" });
    event.preventDefault();
  }

  const tabbable = Math.min(active, items.length - 1);
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      {...(onChoose
        ? {}
        : { tabIndex: 0, role: "region", "aria-label": props.label, onKeyDown: onScrollKey })}
    >
      <div
        className={classes.whole}
        style={{ height: rows.getTotalSize() }}
        role={onChoose ? "listbox" : "list"}
        aria-label={props.label}
      >
        {seen.map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          const key = keyOf(item);
          return (
            <div
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              className={classes.row}
              style={{ transform: `translateY(${row.start}px)` }}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              {...(onChoose
                ? {
                    role: "option",
                    "aria-selected": key === chosen,
                    tabIndex: row.index === tabbable ? 0 : -1,
                    onClick: () => onChoose(item),
                    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, item, row.index),
                  }
                : { role: "listitem" })}
            >
              <Cell item={item} index={row.index} render={props.children} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A key that was pressed in the list and not in a field or a menu of one of its rows. */
function isOwn({ target, currentTarget }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    currentTarget.contains(target) &&
    !target.closest("input, textarea, [role=combobox]")
  );
}

/** What a row shows stays as it is while the list scrolls: only its place changes then. */
const Cell = memo(function Cell<Item>({
  item,
  index,
  render,
}: {
  item: Item;
  index: number;
  render: (item: Item, index: number) => ReactNode;
}) {
  return render(item, index);
}) as <Item>(props: {
  item: Item;
  index: number;
  render: (item: Item, index: number) => ReactNode;
}) => ReactNode;
