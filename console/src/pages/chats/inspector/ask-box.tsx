/** The question that a context is made for. It counts after a short rest, or at once with Enter. */
import { CloseButton, Textarea } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { REST } from "./budget";

export function AskBox({ question, onAsk }: { question: string; onAsk: (question: string) => void }) {
  const [typed, setTyped] = useState(question);
  const settle = useDebouncedCallback(onAsk, REST);
  useEffect(() => setTyped(question), [question]);

  function ask(next: string) {
    settle.cancel();
    setTyped(next);
    onAsk(next);
  }

  return (
    <Textarea
      label="Question"
      placeholder="Ask something to preview the context"
      autosize
      minRows={1}
      maxRows={4}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        settle(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.shiftKey) {
          event.preventDefault();
          ask(typed);
        }
        if (event.key === "Escape" && typed) {
          event.stopPropagation();
          ask("");
        }
      }}
      rightSection={
        typed ? <CloseButton size="sm" aria-label="Clear the question" onClick={() => ask("")} /> : null
      }
    />
  );
}
