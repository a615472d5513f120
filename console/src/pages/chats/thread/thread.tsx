/** One chat: its title, its brief and pins on top, and the thread below. */
import { useCallback, useEffect, useMemo, useState } from "react";
import { $api, type Shape } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { EmptyState } from "../../../parts/empty-state";
import { useSession } from "../../../session/session";
import { Band } from "./band";
import { type MessageActs, MessageRow } from "./message";
import { PinDialog } from "./pin-dialog";
import { bandAt, bandKey, messageKey, type Row, rowsOf } from "./rows";
import { ThreadHead } from "./thread-head";
import { type Goal, ThreadList } from "./thread-list";
import { useActs } from "./use-acts";
import { useGoal } from "./use-goal";
import type { Loaded, Message } from "./use-messages";

export interface Jump {
  id: string;
  times: number;
}

interface ThreadProps {
  chat: string;
  jump: Jump | null;
  /** Back to the list; null: it stands beside. */
  onBack: (() => void) | null;
  /** Open the inspector; null: it stands beside. */
  onInspect: (() => void) | null;
}

export function Thread({ chat, jump, onBack, onInspect }: ThreadProps) {
  const { writes } = useSession();
  const info = $api.useQuery("get", "/v1/chats/{chat_id}", { params: { path: { chat_id: chat } } });
  const session = { params: { query: { session_id: chat } } };
  const summaries = $api.useQuery("get", "/api/memory/summaries", session);
  const pins = $api.useQuery("get", "/api/memory/pins", session);
  const folded = summaries.data?.summaries;
  const pinned = useMemo(() => bySource(pins.data?.pins ?? []), [pins.data]);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<string | null>(null);
  const [pinning, setPinning] = useState<Message | null>(null);
  const acts = useActs(chat);
  const found = useGoal(chat, jump);
  const goal = useMemo<Goal | null>(
    () => (found && jump ? { key: messageKey(found.position), times: jump.times } : null),
    [found, jump],
  );

  const hidden = found && folded ? bandAt(found.position, folded) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another jump into the same band opens it again
  useEffect(() => {
    if (hidden) setOpen((before) => new Set([...before, hidden]));
  }, [hidden, jump?.times]);

  const last = info.data?.last_position;
  const rows = useMemo(
    () => (last !== undefined && folded ? rowsOf(last, folded, open) : null),
    [last, folded, open],
  );
  const turn = useCallback((key: string) => {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);

  const remove = useCallback(
    (message: Message) => {
      const segment = bandAt(message.position, folded ?? []);
      void acts.remove(message, pinned.get(message.id) ?? [], segment !== null);
    },
    [acts.remove, pinned, folded],
  );
  const { save, unpin } = acts;
  const changes = useMemo(
    () => (writes ? { edit: setEditing, save, pin: setPinning, remove, unpin } : null),
    [writes, save, remove, unpin],
  );

  function onKey(row: Row, loaded: Loaded, key: string): boolean {
    if (row.kind === "band") {
      if (key === "Enter" || key === " ") turn(row.key);
      return key === "Enter" || key === " ";
    }
    const message = loaded.at(row.position);
    if (!message || !writes) return false;
    if (key === "p") setPinning(message);
    else if (key === "e" || key === "Enter") setEditing(message.id);
    else if (key === "Delete") remove(message);
    else return false;
    return true;
  }

  return (
    <>
      <Answer of={info}>
        {(data) => (
          <ThreadHead
            chat={data}
            pins={pins.data?.pins ?? []}
            bands={(folded ?? []).map((summary) => bandKey(summary.start_position))}
            open={open}
            onOpen={setOpen}
            onUnpin={writes ? unpin : null}
            onBack={onBack}
            onInspect={onInspect}
          />
        )}
      </Answer>
      {summaries.error && !folded ? (
        <Answer of={summaries}>{() => null}</Answer>
      ) : (
        rows &&
        (rows.length ? (
          <ThreadList chat={chat} rows={rows} goal={waitingFor(hidden, open) ? null : goal} onKey={onKey}>
            {(row, loaded, active) =>
              row.kind === "band" ? (
                <Band name={row.key} summary={row.summary} open={row.open} active={active} onTurn={turn} />
              ) : (
                <MessageRowAt
                  position={row.position}
                  folded={row.folded}
                  loaded={loaded}
                  active={active}
                  pinned={pinned}
                  editing={editing}
                  acts={changes}
                />
              )
            }
          </ThreadList>
        ) : (
          <EmptyState title="No messages yet">The first message will appear here.</EmptyState>
        ))
      )}
      <PinDialog message={pinning} onClose={() => setPinning(null)} onPin={acts.pin} />
    </>
  );
}

interface AtProps {
  position: number;
  folded: boolean;
  loaded: Loaded;
  active: boolean;
  pinned: ReadonlyMap<string, Shape<"PinShape">[]>;
  /** The message that is being edited. */
  editing: string | null;
  acts: MessageActs | null;
}

function MessageRowAt({ position, loaded, pinned, editing, ...shown }: AtProps) {
  const message = loaded.at(position);
  return (
    <MessageRow
      message={message}
      before={loaded.at(position - 1)}
      pins={message ? pinned.get(message.id) : undefined}
      editing={Boolean(message) && editing === message?.id}
      {...shown}
    />
  );
}

/** The goal is in a band that is about to open. */
function waitingFor(hidden: string | null, open: ReadonlySet<string>): boolean {
  return hidden !== null && !open.has(hidden);
}

function bySource<Pin extends { source_message_id?: string | null }>(pins: Pin[]): Map<string, Pin[]> {
  const found = new Map<string, Pin[]>();
  for (const pin of pins) {
    if (!pin.source_message_id) continue;
    const same = found.get(pin.source_message_id);
    if (same) same.push(pin);
    else found.set(pin.source_message_id, [pin]);
  }
  return found;
}
