/** The one todo that an address names: whoever follows a link sees it at once, whether it is open, done or dropped. */
import { Anchor, Text } from "@mantine/core";
import { CheckSquare } from "lucide-react";
import { Answer } from "../../parts/answer";
import { EmptyState } from "../../parts/empty-state";
import { to } from "../../router";
import { TodoRow } from "./todo-row";
import { useOne } from "./use-todos";

export function OneTodo({ id }: { id: string }) {
  const found = useOne(id);
  const all = <Anchor href={to("/todos")}>Show every todo</Anchor>;
  return (
    <Answer of={found}>
      {({ pages }) => {
        const todo = pages[0]?.todos[0];
        if (!todo) {
          return (
            <EmptyState icon={CheckSquare} title="This todo is gone">
              It was deleted, or the words that it came from were forgotten. {all}
            </EmptyState>
          );
        }
        return (
          <section aria-label="The todo of this address">
            <Text size="xs" c="dimmed" component="div">
              One todo, {todo.status}. {all}
            </Text>
            <TodoRow todo={todo} now={new Date()} />
          </section>
        );
      }}
    </Answer>
  );
}
