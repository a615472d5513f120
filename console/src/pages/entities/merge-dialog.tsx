/** Say that two names mean the same: which other one, and which of the two stays. */
import { Button, Group, Modal, Radio, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { onOneLine } from "../../parts/bidi";
import { Name } from "../../parts/name";
import { useNames } from "./changes";
import type { Entity } from "./names";
import { useEntities } from "./use-entities";

export interface MergeDialogProps {
  entity: Entity;
  opened: boolean;
  onClose: () => void;
  /** The entity that stayed. */
  onMerged: (key: string) => void;
}

/** Names that a list shows at once; whoever types gets nearer. */
const OFFERED = 40;

export function MergeDialog({ entity, opened, onClose, onMerged }: MergeDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <Text fw={600} lineClamp={2}>
          Merge <Name most={80}>{entity.label}</Name> with another name
        </Text>
      }
      closeButtonProps={{ "aria-label": "Cancel" }}
    >
      <Choice entity={entity} onClose={onClose} onMerged={onMerged} />
    </Modal>
  );
}

function Choice({ entity, onClose, onMerged }: Omit<MergeDialogProps, "opened">) {
  const [other, setOther] = useState<string | null>(null);
  const [stays, setStays] = useState("other");
  const { merge } = useNames();
  const entities = useEntities({ type: entity.type, whole: true });
  const others = (entities.data ?? []).filter(({ key }) => key !== entity.key);
  const label = others.find(({ key }) => key === other)?.label ?? "";

  function submit() {
    if (!other) return;
    const pair = stays === "other" ? { from: entity.key, into: other } : { from: other, into: entity.key };
    merge(pair, () => onMerged(pair.into));
    onClose();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <Select
          label="The other name"
          placeholder={`Search ${others.length} names`}
          data-autofocus
          searchable
          limit={OFFERED}
          nothingFoundMessage={`No other ${entity.type} is called that.`}
          data={others.map(({ key, label: name }) => ({ value: key, label: onOneLine(name, 80) }))}
          value={other}
          onChange={setOther}
        />
        {other && (
          <Radio.Group label="Which name stays" value={stays} onChange={setStays}>
            <Stack gap={6} mt={6}>
              <Radio value="other" label={onOneLine(label, 80)} />
              <Radio value="this" label={onOneLine(entity.label, 80)} />
            </Stack>
          </Radio.Group>
        )}
        <Text size="xs" c="dimmed">
          Memories keep the words they were written with; they are found under both names from now on. Taking
          it back loses nothing.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!other}>
            Merge
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
