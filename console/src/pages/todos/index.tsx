/** Todos: what is open, what is due, and what was done about it. */
import { Group, SegmentedControl, Select, Text } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { CheckSquare } from "lucide-react";
import { useMemo, useState } from "react";
import { Answer } from "../../parts/answer";
import { EmptyState } from "../../parts/empty-state";
import { Page } from "../../parts/page";
import { PersonaSelect, usePersona } from "../../parts/persona-select";
import { VirtualList } from "../../parts/virtual-list";
import { setParams, useParam } from "../../router";
import { useSession } from "../../session/session";
import { AddTodo } from "./add-todo";
import { isOverdue, type Row, rowsByDue, type Todo } from "./due";
import { OneTodo } from "./one-todo";
import { TodoRow } from "./todo-row";
import classes from "./todos.module.css";
import { KINDS, useTodos } from "./use-todos";

const VIEWS = [
  { value: "open", label: "Open" },
  { value: "due", label: "Due" },
  { value: "done", label: "Done" },
  { value: "dropped", label: "Dropped" },
];
const EMPTY: Record<string, string> = {
  open: "Nothing is open",
  due: "Nothing has a date",
  done: "Nothing is done yet",
  dropped: "Nothing was dropped",
};

export default function TodosPage() {
  const [show] = useParam("show");
  const [kind] = useParam("kind");
  const [one] = useParam("todo");
  const persona = usePersona();
  const { writes } = useSession();
  const view = VIEWS.some(({ value }) => value === show) ? show : "open";
  const found = useTodos({ status: view === "due" ? "open" : view, kind, persona });
  return (
    <Page
      title="Todos"
      lead="To-dos, habits, open threads and annoyances from your chats."
      actions={<PersonaSelect />}
      fill
    >
      <div className={classes.page}>
        {writes && <AddTodo persona={persona} kind={kind} />}
        <Group gap="xs">
          <SegmentedControl
            aria-label="Which todos"
            size="xs"
            data={VIEWS}
            value={one ? "" : view}
            onChange={(next) => setParams({ show: next === "open" ? "" : next, todo: "" })}
          />
          <Select
            aria-label="Kind of todo"
            size="xs"
            placeholder="All kinds"
            w={122}
            clearable
            clearButtonProps={{ "aria-label": "All kinds" }}
            data={KINDS}
            value={kind || null}
            onChange={(chosen) => setParams({ kind: chosen ?? "", todo: "" })}
          />
        </Group>
        {one ? (
          <OneTodo id={one} />
        ) : (
          <Answer of={{ ...found, data: found.todos }}>
            {(todos) => <TodoList todos={todos} view={view} onEnd={found.more} />}
          </Answer>
        )}
      </div>
    </Page>
  );
}

function TodoList({ todos, view, onEnd }: { todos: Todo[]; view: string; onEnd: () => void }) {
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), 60_000, { autoInvoke: true });
  const rows = useMemo((): Row[] => {
    if (view === "open") return rowsByDue(todos, now);
    if (view === "due")
      return rowsByDue(
        todos.filter((todo) => todo.due_at),
        now,
      );
    return todos.map((todo) => ({ todo }));
  }, [todos, view, now]);
  const overdue = todos.filter((todo) => isOverdue(todo, now)).length;

  if (rows.length === 0) {
    return (
      <EmptyState icon={CheckSquare} title={EMPTY[view] ?? ""}>
        {view === "done" || view === "dropped"
          ? "What you tick off or drop is kept here, and can be taken up again."
          : "What you say you will do appears here by itself, with its date: “I'll send Tom the report by Friday.” You can also note it above."}
      </EmptyState>
    );
  }
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {todos.length.toLocaleString("en")} {view === "due" ? "open" : view}
        {overdue > 0 && `, ${overdue} overdue`}
      </Text>
      <div className={classes.list}>
        <VirtualList
          label="Todos"
          items={rows}
          keyOf={(row) => ("todo" in row ? row.todo.id : row.heading)}
          estimate={58}
          onEnd={onEnd}
        >
          {(row) =>
            "todo" in row ? (
              <TodoRow todo={row.todo} now={now} />
            ) : (
              <h2 className={classes.heading} data-urgent={row.heading === "Overdue" || undefined}>
                {row.heading} <span className={classes.count}>{row.count}</span>
              </h2>
            )
          }
        </VirtualList>
      </div>
    </>
  );
}
