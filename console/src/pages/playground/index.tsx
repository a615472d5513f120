/** Playground: ask, and see the context that a model would be sent. */
import { Button, Code, Group, Text, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { $api } from "../../api/client";
import { Answer } from "../../parts/answer";
import { Page } from "../../parts/page";
import { TokenBar } from "../../parts/token-bar";
import { useParam } from "../../router";

export default function PlaygroundPage() {
  const [asked, setAsked] = useParam("ask");
  const [typed, setTyped] = useState(asked);
  const context = $api.useQuery(
    "get",
    "/v1/context",
    { params: { query: { query: asked, budget: 2000 } } },
    { enabled: Boolean(asked) },
  );

  function submit(event: FormEvent) {
    event.preventDefault();
    setAsked(typed.trim());
  }

  return (
    <Page title="Playground" lead="Talk with memory, or see what a model would be sent.">
      <form onSubmit={submit}>
        <Textarea
          label="Your message"
          autosize
          minRows={2}
          maxRows={10}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group mt="xs">
          <Button type="submit" disabled={!typed.trim()}>
            Show the context
          </Button>
        </Group>
      </form>
      {asked && (
        <Answer of={context}>
          {({ sections, budget, text }) => (
            <div style={{ marginTop: "1.5rem" }}>
              <TokenBar parts={sections} budget={budget} />
              {text ? (
                <Code block mt="md" style={{ whiteSpace: "pre-wrap" }}>
                  {text}
                </Code>
              ) : (
                <Text mt="md" c="dimmed" size="sm">
                  Nothing is known that would help with this.
                </Text>
              )}
            </div>
          )}
        </Answer>
      )}
    </Page>
  );
}
