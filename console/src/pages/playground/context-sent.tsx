/** Context preview now: message by message, and what it costs. */
import { Anchor, Text } from "@mantine/core";
import type { Shape } from "../../api/client";
import { TokenBar } from "../../parts/token-bar";
import { UserText } from "../../parts/user-text";
import { to } from "../../router";
import classes from "./playground.module.css";

export function ContextSent({ context }: { context: Shape<"ContextShape"> }) {
  const dropped = context.dropped.length;
  return (
    <section className={classes.context} aria-label="Context preview">
      <Text size="xs" fw={600} mb={8}>
        Context preview now
      </Text>
      <TokenBar parts={context.sections} budget={context.budget} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.sent} tabIndex={0} aria-label="Messages to the model">
        {context.messages.map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes
          <div key={at}>
            <Text size="xs" c="dimmed">
              {word(message["role"])}
            </Text>
            <div className={classes.sentText}>
              <UserText>{word(message["content"])}</UserText>
            </div>
          </div>
        ))}
      </section>
      <Text size="xs" c="dimmed">
        {dropped > 0 && `${dropped} ${dropped === 1 ? "line" : "lines"} did not fit. `}
        {context.chat_id && (
          <Anchor href={to("/chats", { chat: context.chat_id, inspect: "1" })}>
            Every line with its reason
          </Anchor>
        )}
      </Text>
    </section>
  );
}

function word(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}
