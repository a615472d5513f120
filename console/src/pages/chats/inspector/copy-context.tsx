/** Take the context along: as the text of a prompt, or as the messages of a chat-completions API. */
import { Button, CopyButton } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import type { Shape } from "../../../api/client";

type Context = Shape<"ContextShape">;

export function CopyContext({ text, messages }: Pick<Context, "text" | "messages">) {
  return (
    <Button.Group>
      <CopyAs name="text" value={text} />
      <CopyAs name="messages" value={JSON.stringify(messages, null, 2)} />
    </Button.Group>
  );
}

function CopyAs({ name, value }: { name: string; value: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => {
        const Icon = copied ? Check : Copy;
        return (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<Icon size={12} aria-hidden />}
            onClick={copy}
          >
            {copied ? "Copied" : `Copy as ${name}`}
          </Button>
        );
      }}
    </CopyButton>
  );
}
