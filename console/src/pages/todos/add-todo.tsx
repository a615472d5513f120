/** Note something by hand. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client";
import { tellFailed } from "../../parts/notify";
import { type TodoFields, TodoForm } from "./todo-form";

export function AddTodo({ persona }: { persona: string | null }) {
  const cache = useQueryClient();
  const add = useMutation({
    mutationFn: (fields: TodoFields) =>
      api.POST("/v1/todos", { body: { ...fields, status: "open", persona_id: persona } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["get", "/v1/todos"] }),
    onError: tellFailed,
  });
  return (
    <TodoForm
      label={persona ? `New todo for ${persona}` : "New todo"}
      verb="Add"
      busy={add.isPending}
      onSubmit={(fields) =>
        add.mutateAsync(fields).then(
          () => true,
          () => false,
        )
      }
    />
  );
}
