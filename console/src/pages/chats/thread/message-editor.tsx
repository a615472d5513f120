/** A message's words while they are changed. Ctrl+Enter saves, Escape leaves them as they were. */
import { Button, Group, Text, Textarea } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";

/** Rows of the field. */
const LEAST = 2;
const MOST = 14;
/** Characters from which on the field has all its rows at once: to measure so many at every key would be felt. */
const MANY = 10_000;

export function MessageEditor(props: { text: string; onSave: (text: string) => void; onCancel: () => void }) {
  const [text, setText] = useState(props.text);
  const field = useRef<HTMLTextAreaElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The row grows first.
    const frame = requestAnimationFrame(() => whole.current?.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, []);

  /** Where the focus goes back to: the field is about to be gone. */
  function leave(then: () => void) {
    field.current?.closest<HTMLElement>("[role=article]")?.focus({ preventScroll: true });
    then();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") leave(props.onCancel);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && text.trim())
      leave(() => props.onSave(text));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div ref={whole}>
      <Textarea
        ref={field}
        aria-label="Text of this message"
        {...(props.text.length > MANY ? { rows: MOST } : { autosize: true, minRows: LEAST, maxRows: MOST })}
        // Nothing else on the page is meant once somebody chose to edit.
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group gap="xs" mt={6}>
        <Button size="compact-sm" disabled={!text.trim()} onClick={() => leave(() => props.onSave(text))}>
          Save
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => leave(props.onCancel)}>
          Cancel
        </Button>
        <Text size="xs" c="dimmed">
          Pins, memories and summaries that came from it follow.
        </Text>
      </Group>
    </div>
  );
}
