/** The fields of a todo: for a new one, and for one that is changed. Enter keeps it, Escape leaves. */
import { Button, Group, Select, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { fromField, toField } from "./due";
import classes from "./todos.module.css";
import { KINDS } from "./use-todos";

export interface TodoFields {
  text: string;
  kind: string;
  due_at: string | null;
}

export interface TodoFormProps {
  label: string;
  verb: string;
  start?: TodoFields;
  busy?: boolean;
  /** Resolves to false when it was refused: then what was typed stays. */
  onSubmit: (fields: TodoFields) => Promise<boolean>;
  onCancel?: () => void;
  children?: ReactNode;
}

/** Characters that a todo may have. */
const LONGEST = 2000;
const EMPTY: TodoFields = { text: "", kind: "commitment", due_at: null };

export function TodoForm({ label, verb, start = EMPTY, busy, onSubmit, onCancel, children }: TodoFormProps) {
  const [text, setText] = useState(start.text);
  const [kind, setKind] = useState(start.kind);
  const [due, setDue] = useState(toField(start.due_at));
  const id = useId();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!text.trim() || busy) return;
    // A date that was not touched keeps its seconds.
    const due_at = due === toField(start.due_at) ? start.due_at : fromField(due);
    if ((await onSubmit({ text: text.trim(), kind, due_at })) && !onCancel) {
      setText("");
      setDue("");
    }
  }

  return (
    <form
      aria-label={label}
      className={classes.form}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) onCancel?.();
      }}
    >
      <TextInput
        id={`${id}text`}
        className={classes.words}
        label="What"
        placeholder="Call the dentist"
        value={text}
        maxLength={LONGEST}
        autoComplete="off"
        {...(onCancel ? { autoFocus: true } : {})}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput
        label="Due"
        type="datetime-local"
        className={classes.due ?? ""}
        max="9999-12-31T23:59"
        value={due}
        onChange={(event) => setDue(event.currentTarget.value)}
      />
      <Select
        label="Kind"
        className={classes.kind ?? ""}
        allowDeselect={false}
        data={KINDS}
        value={kind}
        onChange={(chosen) => setKind(chosen ?? kind)}
      />
      {children}
      <Group gap="xs" wrap="nowrap">
        <Button type="submit" loading={Boolean(busy)} disabled={!text.trim()}>
          {verb}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Group>
    </form>
  );
}
