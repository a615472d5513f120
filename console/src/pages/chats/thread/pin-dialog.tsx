/** Pin what a message says: the words, which may be shortened, and how much they matter. */
import { Button, Group, Modal, Slider, Text, Textarea } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import type { NewPin } from "./use-acts";
import type { Message } from "./use-messages";

/** Characters that a pin may have. */
const LONGEST = 2000;
/** A pin of a person's own says that it matters. */
const LEAST = 8;

interface PinDialogProps {
  message: Message | null;
  onClose: () => void;
  onPin: (pin: NewPin) => void;
}

export function PinDialog({ message, onClose, onPin }: PinDialogProps) {
  const [content, setContent] = useState("");
  const [importance, setImportance] = useState(LEAST);
  useEffect(() => {
    if (!message) return;
    setContent(message.text.slice(0, LONGEST));
    setImportance(Math.max(LEAST, message.importance_score));
  }, [message]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!message || !content.trim()) return;
    onPin({ message, content: content.trim(), importance });
    onClose();
  }

  return (
    <Modal
      opened={message !== null}
      onClose={onClose}
      title={<Text fw={600}>Pin this</Text>}
      closeButtonProps={{ "aria-label": "Cancel" }}
    >
      <form onSubmit={submit}>
        <Textarea
          label="What is pinned"
          description="The model always sees these words in this chat."
          data-autofocus
          autosize
          minRows={2}
          maxRows={8}
          maxLength={LONGEST}
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
          }}
        />
        <Text size="sm" fw={500} mt="md" mb={4}>
          Importance {importance}
        </Text>
        <Slider
          label={null}
          thumbLabel="Importance"
          min={0}
          max={10}
          step={0.5}
          value={importance}
          onChange={setImportance}
        />
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!content.trim()}>
            Pin
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
