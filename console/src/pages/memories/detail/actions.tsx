/** What can be done with a memory: each shows at once and goes back when it is refused; forgetting asks first. */
import { Button, Group } from "@mantine/core";
import { Archive, ArchiveRestore, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { useForget } from "../forgetting";
import type { Memory } from "../memory";
import { useEdit } from "../use-memories";

const ICON = { size: 14, "aria-hidden": true } as const;

export function Actions({ memory, onEdit }: { memory: Memory; onEdit: () => void }) {
  const edit = useEdit();
  const [forget, forgetting] = useForget();
  const gone = memory.status !== "ACTIVE" || memory.valid_to !== null;
  const set = (change: Parameters<typeof edit.mutate>[0]["edit"]) =>
    edit.mutate({ memory_id: memory.memory_id, edit: change });
  return (
    <Group gap={6} mt="md">
      <Button size="xs" variant="default" leftSection={<Pencil {...ICON} />} onClick={onEdit}>
        Edit
      </Button>
      {gone ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<ArchiveRestore {...ICON} />}
          onClick={() => set({ status: "ACTIVE" })}
        >
          Restore
        </Button>
      ) : (
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={memory.pinned ? <PinOff {...ICON} /> : <Pin {...ICON} />}
            onClick={() => set({ pinned: !memory.pinned })}
          >
            {memory.pinned ? "Unpin" : "Pin"}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<Archive {...ICON} />}
            onClick={() => set({ status: "ARCHIVED" })}
          >
            Archive
          </Button>
        </>
      )}
      <Button
        size="xs"
        variant="subtle"
        color="red"
        leftSection={<Trash2 {...ICON} />}
        loading={forgetting}
        onClick={() => void forget(memory)}
      >
        Forget…
      </Button>
    </Group>
  );
}
