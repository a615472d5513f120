/** Note something by hand. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client";
import { named } from "../../parts/bidi";
import { tellFailed } from "../../parts/notify";
import { setParams } from "../../router";
import { type TodoFields, TodoForm } from "./todo-form";

export function AddTodo({ persona, kind }: { persona: string | null; kind: string }) {
  const cache = useQueryClient();
  const add = useMutation({
    mutationFn: (fields: TodoFields) =>
      api.POST("/v1/todos", { body: { ...fields, status: "open", persona_id: persona } }),
    onSuccess: (_added, { kind: given }) => {
      // What was added is seen: no filter hides it.
      setParams({ show: "", todo: "", ...(kind === given ? {} : { kind: "" }) });
      return cache.invalidateQueries({ queryKey: ["get", "/v1/todos"] });
    },
    onError: tellFailed,
  });
  return (
    <TodoForm
      label={persona ? `New todo for ${named(persona)}` : "New todo"}
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
