/** Where one writes: Enter sends, Shift and Enter begin a line. What could not be sent comes back. */
import { Button, Group, Text, Textarea } from "@mantine/core";
import { ArrowUp, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import classes from "./playground.module.css";

/** Characters from which on the field no longer grows with its text: a browser measures a word of 100 kB for minutes. */
const LONG = 4000;

export interface ComposerProps {
  verb: string;
  busy: boolean;
  disabled: boolean;
  /** Resolves to false when nothing of it was kept. */
  onSend: (text: string) => Promise<boolean>;
  /** Null: it cannot be stopped. */
  onStop: (() => void) | null;
  children?: ReactNode;
}

export function Composer({ verb, busy, disabled, onSend, onStop, children }: ComposerProps) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);

  async function submit(event?: FormEvent) {
    event?.preventDefault();
    const said = text.trim();
    if (!said || busy || disabled) return;
    setText("");
    field.current?.focus();
    if (!(await onSend(said))) setText((typed) => typed || said);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && busy) onStop?.();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void submit();
  }

  return (
    <form className={classes.composer} onSubmit={(event) => void submit(event)}>
      <Textarea
        ref={field}
        label="Your message"
        classNames={{ label: classes.hidden ?? "", input: classes.field ?? "" }}
        placeholder="Say something"
        rows={2}
        data-long={text.length >= LONG || undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.tools}>
        {children}
        <Group gap="xs" ml="auto" wrap="nowrap">
          <Text size="xs" c="dimmed" visibleFrom="md">
            Enter sends
          </Text>
          {busy && onStop ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<Square size={12} aria-hidden />}
              onClick={onStop}
            >
              Stop
            </Button>
          ) : (
            <Button
              size="xs"
              type="submit"
              loading={busy}
              disabled={!text.trim() || disabled}
              leftSection={<ArrowUp size={14} aria-hidden />}
            >
              {verb}
            </Button>
          )}
        </Group>
      </div>
    </form>
  );
}
