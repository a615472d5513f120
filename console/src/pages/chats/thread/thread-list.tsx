/**
 * The rows of a thread, of which only those in sight exist. It opens at the end, or at the message that is jumped to.
 * Keyboard: Tab enters at one row, arrows, Page Up/Down and Home/End move, and only that row's buttons can be tabbed to.
 */
import { useDebouncedValue } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { ErrorNotice } from "../../../parts/error-notice";
import { blocksOf, moved, type Row } from "./rows";
import classes from "./thread.module.css";
import { type Loaded, useMessages } from "./use-messages";

/** Pixels that rows take before they were seen. */
const MESSAGE = 68;
const BAND = 82;
/** Milliseconds for which the rows must rest before they are loaded: who drags the scrollbar reads nothing. */
const REST = 60;
/** Pixels from the end that count as at the end. */
const NEAR = 40;
const END = "end";

export interface Goal {
  key: string;
  /** Another goal, even if the row is the same. */
  times: number;
}

interface ThreadListProps {
  chat: string;
  rows: Row[];
  goal: Goal | null;
  /** A key on a row that does not move; true: it meant something. */
  onKey: (row: Row, loaded: Loaded, key: string) => boolean;
  children: (row: Row, loaded: Loaded, active: boolean) => ReactNode;
}

export function ThreadList({ chat, rows, goal, onKey, children }: ThreadListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState("");
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === "band" ? BAND : MESSAGE),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 6,
  });
  const seen = list.getVirtualItems();
  const wanted = blocksOf(seen.map((item) => rows[item.index])).join(" ");
  const [settled] = useDebouncedValue(wanted, REST, { leading: true });
  const [blocks, setBlocks] = useState<number[]>([]);
  useEffect(() => setBlocks(settled ? settled.split(" ").map(Number) : []), [settled]);
  const loaded = useMessages(chat, blocks);

  // What stays in sight while rows are loaded and grow: the end, or the goal, until somebody scrolls.
  const hold = useRef<string | null>(END);
  const last = useRef({ top: 0, height: 0 });
  const keep = useCallback(() => {
    const at = rows.findIndex((row) => row.key === hold.current);
    if (at >= 0) list.scrollToIndex(at, { align: "center" });
    else if (hold.current === END && scroller.current) {
      scroller.current.scrollTop = scroller.current.scrollHeight;
      last.current = seenOf(scroller.current);
    }
  }, [rows, list]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same goal may be set again
  useLayoutEffect(() => {
    if (!goal) return;
    hold.current = goal.key;
    setActive(goal.key);
  }, [goal?.key, goal?.times]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another goal moves the rows
  useEffect(() => {
    let frame = requestAnimationFrame(keep);
    const watch = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(keep);
    });
    for (const box of [scroller.current, whole.current]) if (box) watch.observe(box);
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
    };
  }, [keep, goal]);

  function letGo() {
    hold.current = null;
  }

  function onScroll() {
    const box = scroller.current;
    if (!box) return;
    const ended = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    if (hold.current === null && ended) hold.current = END;
    // Rows that grow or shrink move the end away; what went up by more than that was scrolled, by whatever means.
    const now = seenOf(box);
    const shrunk = Math.max(0, last.current.height - now.height);
    if (hold.current === END && !ended && last.current.top - now.top > shrunk + NEAR) letGo();
    last.current = now;
  }

  function focus(index: number) {
    setActive(rows[index]?.key ?? "");
    list.scrollToIndex(index, { align: "auto" });
    // The row may exist only after it was scrolled to.
    let tries = 10;
    const grasp = () => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
      if (row) row.focus({ preventScroll: true });
      else if (tries-- > 0) requestAnimationFrame(grasp);
    };
    requestAnimationFrame(grasp);
  }

  function onKeyDown(event: KeyboardEvent, index: number) {
    if (event.target !== event.currentTarget) return;
    const gone = (position: number) => loaded.at(position) === null;
    const row = rows[index];
    const next = moved(rows, index, event.key, gone);
    if (next !== null) focus(next);
    else if (event.ctrlKey || event.metaKey || event.altKey || !row || !onKey(row, loaded, event.key)) return;
    event.preventDefault();
  }

  // Somewhere Tab must be able to enter: at the row last stood on, else at the last one in sight.
  const entry = seen.some((item) => rows[item.index]?.key === active)
    ? active
    : rows[seen.at(-1)?.index ?? 0]?.key;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for whether somebody scrolls
    <div
      ref={scroller}
      className={classes.scroller}
      onScroll={onScroll}
      onWheel={letGo}
      onTouchMove={letGo}
      onPointerDown={letGo}
      onKeyDown={letGo}
    >
      {Boolean(loaded.error) && (
        <div className={classes.failed}>
          <ErrorNotice error={loaded.error} retry={loaded.retry} />
        </div>
      )}
      <div
        ref={whole}
        role="feed"
        aria-label="Messages"
        className={classes.whole}
        style={{ height: list.getTotalSize() }}
      >
        {seen.map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a feed has articles, and these are placed by hand
            <div
              key={item.key}
              ref={list.measureElement}
              data-index={item.index}
              role="article"
              aria-posinset={item.index + 1}
              aria-setsize={rows.length}
              tabIndex={row.key === entry ? 0 : -1}
              className={classes.row}
              data-goal={row.key === goal?.key || undefined}
              style={{ transform: `translateY(${item.start}px)` }}
              onFocus={() => setActive(row.key)}
              onKeyDown={(event) => onKeyDown(event, item.index)}
            >
              {children(row, loaded, row.key === entry)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function seenOf({ scrollTop, scrollHeight }: HTMLElement) {
  return { top: scrollTop, height: scrollHeight };
}
