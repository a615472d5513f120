/** Forgetting: what will go is said first, then it is erased, then the receipt says what went. */
import { Button, Group, List, Modal, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useState } from "react";
import { api, type Shape, take } from "../../api/client";
import { useConfirm } from "../../parts/confirm";
import { tellFailed } from "../../parts/notify";
import { UserText } from "../../parts/user-text";
import { setParams } from "../../router";
import { MEMORIES } from "./cached";
import { type Consequences, consequencesOf, told } from "./consequences";
import type { Memory } from "./memory";
import { receiptLines } from "./receipt";
import { AROUND } from "./use-memories";

type Forgotten = Shape<"ForgottenShape">;

const Showing = createContext<(receipt: Forgotten) => void>(() => undefined);

/** Holds the receipt: what it tells of is gone, so it cannot live there. */
export function Receipts({ children }: { children: ReactNode }) {
  const [receipt, setReceipt] = useState<Forgotten | null>(null);
  const [open, setOpen] = useState(false);
  return (
    <Showing
      value={(next) => {
        setReceipt(next);
        setOpen(true);
      }}
    >
      {children}
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={<Text fw={600}>Forgotten</Text>}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {receipt && <Receipt forgotten={receipt} />}
        <Group justify="flex-end" mt="lg">
          <Button data-autofocus onClick={() => setOpen(false)}>
            Close
          </Button>
        </Group>
      </Modal>
    </Showing>
  );
}

function Receipt({ forgotten }: { forgotten: Forgotten }) {
  return (
    <>
      <Text size="sm">Erased for good:</Text>
      <List size="sm" my="xs">
        {receiptLines(forgotten.receipt).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        {forgotten.receipt.erased_from_disk
          ? "The bytes of these rows are gone from the database file and its log."
          : "The rows are gone; the database frees their space on its own time."}
      </Text>
    </>
  );
}

/** Asks, erases and shows the receipt; and whether it is at it. */
export function useForget(): [(memory: Memory) => Promise<void>, boolean] {
  const confirm = useConfirm();
  const show = useContext(Showing);
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function forget(memory: Memory) {
    setBusy(true);
    try {
      const consequences = await consequencesOf(memory);
      const body = <Going memory={memory} consequences={consequences} />;
      if (!(await confirm({ title: "Forget this memory?", body, verb: "Forget" }))) return;
      const receipt = await take(
        api.POST("/v1/forget", { body: { memory_id: memory.memory_id, everything: false } }),
      );
      setParams({ memory: "" });
      // What is gone must not be asked for again.
      cache.removeQueries({ queryKey: [...MEMORIES, "one", memory.memory_id] });
      cache.removeQueries({ queryKey: [...MEMORIES, "history", memory.memory_id] });
      show(receipt);
      for (const queryKey of [MEMORIES, ...AROUND]) void cache.invalidateQueries({ queryKey });
    } catch (error) {
      tellFailed(error);
    } finally {
      setBusy(false);
    }
  }
  return [forget, busy];
}

function Going({ memory, consequences }: { memory: Memory; consequences: Consequences }) {
  const lines = told(consequences);
  return (
    <>
      <Text size="sm" component="div" fw={500} mb="xs">
        <UserText lines={6} shown={600}>
          {memory.content}
        </UserText>
      </Text>
      {lines.length > 0 && (
        <>
          This also deletes:
          <List size="sm" my="xs">
            {lines.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        </>
      )}
      The overall summary will be rewritten.{" "}
      {memory.source_message_ids.length > 0 &&
        "The original message is kept; delete it in its chat, if it must go, too. "}
      This cannot be undone. To hide it from searches instead, archive it.
    </>
  );
}
