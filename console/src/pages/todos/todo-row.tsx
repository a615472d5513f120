/** One todo: ticked off, changed, dropped, taken up again, deleted. */
import { ActionIcon, Badge, Checkbox, Menu, Text } from "@mantine/core";
import { Ellipsis, Pencil, RotateCcw, Trash2, TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import { useConfirm } from "../../parts/confirm";
import { Name } from "../../parts/name";
import { RelativeTime } from "../../parts/relative-time";
import { UserText } from "../../parts/user-text";
import { useSession } from "../../session/session";
import { isOverdue, type Todo } from "./due";
import { Sources } from "./sources";
import { TodoForm } from "./todo-form";
import classes from "./todos.module.css";
import { shown, useChange } from "./use-todos";

export function TodoRow({ todo, now }: { todo: Todo; now: Date }) {
  const [editing, setEditing] = useState(false);
  const { change, mark } = useChange();
  const { writes } = useSession();
  if (editing) {
    return (
      <div className={classes.editing}>
        <TodoForm
          label={`Edit: ${shown(todo)}`}
          verb="Save"
          start={todo}
          onCancel={() => setEditing(false)}
          onSubmit={async (fields) => {
            setEditing(false);
            change.mutate({ todo, to: fields });
            return true;
          }}
        />
      </div>
    );
  }
  return (
    <div className={classes.row} data-closed={todo.status !== "open" || undefined}>
      <Checkbox
        mt={2}
        aria-label={`Done: ${shown(todo)}`}
        checked={todo.status === "done"}
        disabled={!writes}
        onChange={(event) => mark(todo, event.currentTarget.checked ? "done" : "open")}
      />
      <div className={classes.told}>
        <Text size="sm" component="div" className={classes.text}>
          <UserText>{todo.text}</UserText>
        </Text>
        <div className={classes.about}>
          <Badge color="gray">{todo.kind}</Badge>
          {todo.persona_id && (
            <span className={classes.persona}>
              <Name>{todo.persona_id}</Name>
            </span>
          )}
          <Due todo={todo} now={now} />
          <Sources ids={todo.source_message_ids} />
        </div>
      </div>
      {writes && (
        <div className={classes.actions}>
          <ActionIcon aria-label={`Edit: ${shown(todo)}`} title="Edit" onClick={() => setEditing(true)}>
            <Pencil size={16} aria-hidden />
          </ActionIcon>
          <More todo={todo} onMark={mark} onDelete={() => change.mutate({ todo, to: null })} />
        </div>
      )}
    </div>
  );
}

function Due({ todo, now }: { todo: Todo; now: Date }) {
  if (!todo.due_at) return null;
  if (!isOverdue(todo, now)) {
    return (
      <span>
        due <RelativeTime at={todo.due_at} />
      </span>
    );
  }
  return (
    <span className={classes.overdue}>
      <TriangleAlert size={13} aria-hidden /> overdue, was due <RelativeTime at={todo.due_at} />
    </span>
  );
}

interface MoreProps {
  todo: Todo;
  onMark: (todo: Todo, status: string) => void;
  onDelete: () => void;
}

function More({ todo, onMark, onDelete }: MoreProps) {
  const confirm = useConfirm();
  async function remove() {
    const body = (
      <>
        <UserText lines={4}>{todo.text}</UserText>
        <Text size="sm" c="dimmed" mt="xs">
          What was said about it stays in the chat.
        </Text>
      </>
    );
    if (await confirm({ title: "Delete this todo?", body, verb: "Delete" })) onDelete();
  }
  return (
    <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon aria-label={`More: ${shown(todo)}`} title="More">
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {todo.status === "open" ? (
          <Menu.Item leftSection={<X size={15} aria-hidden />} onClick={() => onMark(todo, "dropped")}>
            Drop
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<RotateCcw size={15} aria-hidden />} onClick={() => onMark(todo, "open")}>
            Reopen
          </Menu.Item>
        )}
        <Menu.Item
          className={classes.danger ?? ""}
          leftSection={<Trash2 size={15} aria-hidden />}
          onClick={() => void remove()}
        >
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
