/**
 * The context inspector: a question and a budget, and below them exactly what a model would be sent now, line by line with
 * the reason, the source and the cost of each; then what was left out, and why.
 */
import { Group, Loader, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { $api } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { EmptyState } from "../../../parts/empty-state";
import { TokenBar } from "../../../parts/token-bar";
import { VirtualList } from "../../../parts/virtual-list";
import { useParam } from "../../../router";
import { AskBox } from "./ask-box";
import { askedFor, budgetFrom } from "./budget";
import { BudgetSlider } from "./budget-slider";
import { CopyContext } from "./copy-context";
import classes from "./inspector.module.css";
import { InspectorRow } from "./inspector-row";
import { rowsOf } from "./lines";
import { fitted } from "./shares";

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function Inspector({ chat, onJump }: { chat: string; onJump: (message: string) => void }) {
  const [question, setQuestion] = useParam("ask");
  const [said, setSaid] = useParam("budget");
  const budget = budgetFrom(said);
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  // Whose chat it is: another persona would be shown less, or something else.
  const info = $api.useQuery("get", "/v1/chats/{chat_id}", { params: { path: { chat_id: chat } } });
  const context = $api.useQuery(
    "get",
    "/api/memory/context/{session_id}",
    {
      params: {
        path: { session_id: chat },
        query: askedFor(question, budget, ZONE, info.data?.persona_id ?? null),
      },
    },
    { placeholderData: keepPreviousData, enabled: info.isSuccess },
  );
  const rows = useMemo(() => (context.data ? rowsOf(context.data, turned) : []), [context.data, turned]);
  const turn = useCallback((key: string) => {
    setTurned((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);

  return (
    <>
      <div className={classes.head}>
        <AskBox question={question} onAsk={setQuestion} />
        <BudgetSlider budget={budget} onBudget={(next) => setSaid(String(next))} />
      </div>
      <Answer of={info.error ? { ...info, data: context.data } : context}>
        {(found) => (
          <>
            <div className={classes.sum} data-old={context.isPlaceholderData || undefined}>
              <TokenBar parts={fitted(found.sections, found.tokens)} budget={found.budget} />
              <Group gap="xs" mt={8}>
                <CopyContext text={found.text} messages={found.messages} />
                {context.isPlaceholderData && <Loader size={14} aria-label="Asking" />}
                {!question.trim() && found.question.text && (
                  <Text size="xs" c="dimmed" ml="auto">
                    The question is the user's last message.
                  </Text>
                )}
              </Group>
            </div>
            {rows.length ? (
              <div className={classes.rows}>
                <VirtualList label="Context preview" items={rows} keyOf={(row) => row.key} estimate={52}>
                  {(row) => <InspectorRow row={row} onTurn={turn} onJump={onJump} />}
                </VirtualList>
              </div>
            ) : (
              <EmptyState title="Nothing to show">
                There are no messages, pins or memories for this context yet. Record a message first.
              </EmptyState>
            )}
          </>
        )}
      </Answer>
    </>
  );
}
