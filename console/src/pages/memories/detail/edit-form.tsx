/** A memory under the pen, in its place: words, category, importance, tags. Ctrl+Enter saves, Escape leaves it as it was. */
import {
  Button,
  Group,
  Kbd,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
} from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { CATEGORIES } from "../../../parts/category-badge";
import type { Memory } from "../memory";
import { useEdit } from "../use-memories";
import { editOf, wordsFault } from "./edit";

export function EditForm({ memory, onDone }: { memory: Memory; onDone: () => void }) {
  const edit = useEdit("Saved.");
  const [content, setContent] = useState(memory.content);
  const [category, setCategory] = useState(memory.category);
  const [importance, setImportance] = useState<number | string>(memory.importance);
  const [tags, setTags] = useState(memory.tags);
  const fault = wordsFault(content);

  function save() {
    if (fault) return;
    const change = editOf(memory, { content, category, importance: Number(importance), tags });
    if (change) edit.mutate({ memory_id: memory.memory_id, edit: change });
    onDone();
  }

  function onKeyDown(event: KeyboardEvent) {
    // Escape is the form's, or that of a list in it, which closes first.
    if (event.key === "Escape") event.stopPropagation();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
    else if (event.key === "Escape" && !event.defaultPrevented && !isOpen(event.target)) onDone();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <form
      aria-label="Edit the memory"
      onKeyDown={onKeyDown}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="sm">
        <Textarea
          label="Text"
          autosize
          minRows={2}
          maxRows={10}
          data-autofocus
          autoFocus
          dir="auto"
          value={content}
          error={fault}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        <SimpleGrid cols={2} spacing="sm">
          <Select
            label="Category"
            data={CATEGORIES}
            allowDeselect={false}
            value={category}
            onChange={(chosen) => chosen && setCategory(chosen)}
          />
          <NumberInput
            label="Importance"
            description={memory.pinned ? "Counts as 10 while pinned" : undefined}
            min={0}
            max={10}
            step={0.5}
            decimalScale={1}
            clampBehavior="strict"
            value={importance}
            onChange={setImportance}
          />
        </SimpleGrid>
        <TagsInput label="Tags" placeholder="Add a tag, then Enter" value={tags} onChange={setTags} />
        <Group gap="xs">
          <Button type="submit" size="xs" disabled={Boolean(fault)}>
            Save
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> saves, <Kbd size="xs">Esc</Kbd> cancels
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

function isOpen(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.getAttribute("aria-expanded") === "true";
}
