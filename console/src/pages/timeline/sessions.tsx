/** Sessions, last begun first, and the chosen one beside them. */

import { Badge } from "@mantine/core";
import { Clock } from "lucide-react";
import { useMemo } from "react";
import { api, type Shape } from "../../api/client";
import { usePages } from "../../api/pages";
import { Answer } from "../../parts/answer";
import { EmptyState } from "../../parts/empty-state";
import { many } from "../../parts/many";
import { Name } from "../../parts/name";
import { usePersona } from "../../parts/persona-select";
import { UserText } from "../../parts/user-text";
import { VirtualList } from "../../parts/virtual-list";
import { useParam } from "../../router";
import { beginsMonth, month, span } from "./moments";
import { SessionDetail } from "./session-detail";
import classes from "./timeline.module.css";

type Session = Shape<"SessionShape">;

export function Sessions() {
  const persona = usePersona();
  const filter = { limit: 100, ...(persona ? { persona_id: persona } : {}) };
  const sessions = usePages("/v1/sessions", filter, (at) =>
    api.GET("/v1/sessions", { params: { query: { ...filter, ...at } } }),
  );
  const [chosen, choose] = useParam("session");
  const found = useMemo(() => sessions.data?.pages.flatMap((page) => page.sessions), [sessions.data]);
  const times = useMemo(() => (found ?? []).map(({ startedAt }) => startedAt), [found]);
  // Where there is room for two, the last one is open before anybody chooses.
  const shown = chosen || found?.[0]?.id;
  return (
    <Answer of={{ ...sessions, data: found }}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState icon={Clock} title="No sessions yet">
            A session begins with a message and ends after 30 minutes of silence; then it is summarised: what
            mattered, what is open, who promised what.
          </EmptyState>
        ) : (
          <div className={classes.panes} data-alone="" data-chosen={chosen ? "" : undefined}>
            <div className={classes.list}>
              <VirtualList
                label="Sessions"
                items={all}
                keyOf={(session) => session.id}
                estimate={76}
                chosen={shown ?? ""}
                onChoose={(session) => choose(session.id, { push: true })}
                onEnd={sessions.more}
              >
                {(session, index) => <SessionRow session={session} heading={beginsMonth(times, index)} />}
              </VirtualList>
            </div>
            {shown && (
              <SessionDetail
                key={shown}
                id={shown}
                onClose={chosen ? () => choose("", { push: true }) : undefined}
              />
            )}
          </div>
        )
      }
    </Answer>
  );
}

function SessionRow({ session, heading }: { session: Session; heading: boolean }) {
  const { summary } = session;
  return (
    <>
      {heading && <div className={classes.month}>{month(session.startedAt)}</div>}
      <div className={classes.row}>
        <div className={classes.quiet}>
          {span(session.startedAt, session.lastActivityAt)}
          {session.persona_id && (
            <>
              {" · "}
              <Name most={40}>{session.persona_id}</Name>
            </>
          )}
          {` · ${many(session.turnCount, "turn")}`}
        </div>
        <UserText lines={2} shown={300}>
          {summary?.one_liner ?? (session.endedAt ? "Its summary is being written." : "Still going on.")}
        </UserText>
        {summary && summary.open_loops.length + summary.commitments.length > 0 && (
          <div className={classes.badges}>
            {summary.open_loops.length > 0 && <Badge color="gray">{summary.open_loops.length} open</Badge>}
            {summary.commitments.length > 0 && (
              <Badge color="gray">{summary.commitments.length} promised</Badge>
            )}
          </div>
        )}
      </div>
    </>
  );
}
