/** What can be done with a memory: each shows at once and goes back when it is refused; forgetting asks first. */
import { Button, Group, Loader } from "@mantine/core";
import { Archive, ArchiveRestore, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import type { Ref } from "react";
import { useForget } from "../forgetting";
import type { Memory } from "../memory";
import { useEdit } from "../use-memories";

const ICON = { size: 14, "aria-hidden": true } as const;

export interface ActionsProps {
  memory: Memory;
  /** Where the focus goes back to after an edit. */
  pen: Ref<HTMLButtonElement>;
  onEdit: () => void;
}

export function Actions({ memory, pen, onEdit }: ActionsProps) {
  const edit = useEdit();
  const [forget, forgetting] = useForget();
  const gone = memory.status !== "ACTIVE" || memory.valid_to !== null;
  const set = (change: Parameters<typeof edit.mutate>[0]["edit"]) =>
    edit.mutate({ memory_id: memory.memory_id, edit: change });
  return (
    <Group gap={6} mt="md">
      <Button ref={pen} size="xs" variant="default" leftSection={<Pencil {...ICON} />} onClick={onEdit}>
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
        leftSection={forgetting ? <Loader size={14} color="red" aria-hidden /> : <Trash2 {...ICON} />}
        // Not disabled meanwhile: the focus must find it again when the question is answered with no.
        aria-busy={forgetting}
        onClick={() => forgetting || void forget(memory)}
      >
        Forget…
      </Button>
    </Group>
  );
}
