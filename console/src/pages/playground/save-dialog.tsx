/** Save to memory what a message says: the fact, its category, and why. */
import { Button, Group, Modal, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Arguments } from "./tool-use";

/** Characters that the tool takes. */
const CONTENT = { least: 10, most: 500 };
const REASON = { least: 10, most: 200 };
/** The five that it offers. */
const CATEGORIES = ["identity", "preference", "project", "context", "relationship"];

export interface SaveDialogProps {
  text: string;
  onSave: (given: Arguments) => void;
  onClose: () => void;
}

export function SaveDialog({ text, onSave, onClose }: SaveDialogProps) {
  const [content, setContent] = useState(() => [...text.trim()].slice(0, CONTENT.most).join(""));
  const [category, setCategory] = useState("context");
  const [reasoning, setReasoning] = useState("The user chose to keep this.");
  const [tried, setTried] = useState(false);
  const short = content.trim().length < CONTENT.least;
  const unreasoned = reasoning.trim().length < REASON.least;

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (short || unreasoned) return;
    onSave({ content: content.trim(), category, reasoning: reasoning.trim() });
    onClose();
  }

  return (
    <Modal opened onClose={onClose} title="Save to memory" closeButtonProps={{ "aria-label": "Cancel" }}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Textarea
            data-autofocus
            label="What to remember"
            description="One fact; the first person becomes “User”."
            autosize
            minRows={2}
            maxRows={8}
            maxLength={CONTENT.most}
            value={content}
            onChange={(event) => setContent(event.currentTarget.value)}
            error={tried && short && `At least ${CONTENT.least} characters.`}
          />
          <Select
            label="Category"
            data={CATEGORIES}
            allowDeselect={false}
            value={category}
            onChange={(chosen) => setCategory(chosen ?? category)}
          />
          <TextInput
            label="Why it is worth remembering"
            maxLength={REASON.most}
            value={reasoning}
            onChange={(event) => setReasoning(event.currentTarget.value)}
            error={tried && unreasoned && `At least ${REASON.least} characters.`}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Save</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
