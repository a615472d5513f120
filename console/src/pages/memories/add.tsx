/** Adding a memory by hand, and what the service replies: saved, already known, or refused and why. */
import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Collapse,
  Group,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, CopyCheck, TriangleAlert } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { api, type Shape, take } from "../../api/client";
import { ApiError, advice, sentence } from "../../api/errors";
import { named } from "../../parts/bidi";
import { CATEGORIES, CategoryBadge } from "../../parts/category-badge";
import { usePersona } from "../../parts/persona-select";
import { UserText } from "../../parts/user-text";
import { MEMORIES } from "./cached";
import { BLANK, type Draft, type Reply, replyOf, statement } from "./reply";
import { AROUND } from "./use-memories";

export interface AddProps {
  opened: boolean;
  onClose: () => void;
  onOpen: (memoryId: string) => void;
}

export function Add({ opened, onClose, onOpen }: AddProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={<Text fw={600}>Add a memory</Text>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <AddForm onOpen={onOpen} />
    </Modal>
  );
}

function AddForm({ onOpen }: { onOpen: (memoryId: string) => void }) {
  const persona = usePersona();
  const cache = useQueryClient();
  const words = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<Draft>({ ...BLANK, persona: persona ?? "" });
  const [more, { toggle }] = useDisclosure();
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const save = useMutation({
    mutationFn: (body: ReturnType<typeof statement>) =>
      // One memory is answered with one result; only a list with several.
      take(api.POST("/memories", { body })) as Promise<Shape<"SavedShape"> | Shape<"DuplicateShape">>,
    onSuccess: (data) => {
      for (const queryKey of [MEMORIES, ...AROUND]) void cache.invalidateQueries({ queryKey });
      if (data.success) set({ content: "" });
    },
    onSettled: () => words.current?.focus(),
  });

  return (
    <form
      aria-label="Add a memory"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save.mutate(statement(draft));
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save.mutate(statement(draft));
      }}
    >
      <Stack gap="sm">
        <Textarea
          ref={words}
          label="What should be remembered?"
          description="As you would say it. “I” becomes “User”."
          placeholder="I prefer tea to coffee."
          autosize
          minRows={2}
          maxRows={8}
          data-autofocus
          dir="auto"
          value={draft.content}
          onChange={(event) => set({ content: event.currentTarget.value })}
        />
        <Collapse expanded={more}>{more && <More draft={draft} set={set} />}</Collapse>
        <Group justify="space-between">
          <Anchor component="button" type="button" size="sm" aria-expanded={more} onClick={toggle}>
            {more ? "Let rules find the rest" : "Category, importance, tags…"}
          </Anchor>
          <Button type="submit" loading={save.isPending} disabled={!draft.content.trim()}>
            Save
          </Button>
        </Group>
        <div aria-live="polite">
          {save.isPending && (
            <Text size="sm" c="dimmed">
              Saving to memory…
            </Text>
          )}
          {save.data && <Replied reply={replyOf(save.data)} onOpen={onOpen} />}
          {save.isError && <Refused error={save.error} />}
        </div>
      </Stack>
    </form>
  );
}

function More({ draft, set }: { draft: Draft; set: (change: Partial<Draft>) => void }) {
  return (
    <Stack gap="sm">
      <SimpleGrid cols={2} spacing="sm">
        <Select
          label="Category"
          placeholder="Automatic"
          clearable
          clearButtonProps={{ "aria-label": "Automatic" }}
          data={CATEGORIES}
          value={draft.category || null}
          onChange={(category) => set({ category: category ?? "" })}
        />
        <NumberInput
          label="Importance"
          placeholder="Automatic"
          min={0}
          max={10}
          step={0.5}
          clampBehavior="strict"
          value={draft.importance}
          onChange={(importance) => set({ importance })}
        />
      </SimpleGrid>
      <TagsInput
        label="Tags"
        placeholder="Add a tag, then Enter"
        value={draft.tags}
        onChange={(tags) => set({ tags })}
      />
      <Checkbox
        label="Pin it: the model always sees it"
        checked={draft.pinned}
        onChange={(event) => set({ pinned: event.currentTarget.checked })}
      />
      {draft.persona && (
        <Checkbox
          label={`Only for ${named(draft.persona)}`}
          checked={draft.own}
          onChange={(event) => set({ own: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

function Replied({ reply, onOpen }: { reply: Reply; onOpen: (memoryId: string) => void }) {
  const saved = reply.kind === "saved";
  return (
    <Alert
      color="gray"
      icon={
        saved ? (
          <Check size={18} color="var(--mantine-color-teal-7)" aria-hidden />
        ) : (
          <CopyCheck size={18} color="var(--mantine-color-yellow-8)" aria-hidden />
        )
      }
      title={saved ? "Saved to memory" : "Already saved"}
    >
      <Text size="sm" component="div">
        <UserText>{reply.content}</UserText>
      </Text>
      <Group gap="sm" mt={6}>
        {reply.category && <CategoryBadge category={reply.category} />}
        <Anchor component="button" type="button" size="sm" onClick={() => onOpen(reply.memoryId)}>
          Open it
        </Anchor>
      </Group>
    </Alert>
  );
}

function Refused({ error }: { error: unknown }) {
  const refused = error instanceof ApiError && error.status === 400;
  return (
    <Alert
      role="alert"
      color="red"
      icon={<TriangleAlert size={18} aria-hidden />}
      title={refused ? "Failed to save" : sentence(error)}
    >
      {refused ? sentence(error) : advice(error)}
    </Alert>
  );
}
