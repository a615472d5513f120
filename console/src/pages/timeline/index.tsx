/** Timeline: sessions with their summaries, and how the long view, the rolling summaries and the briefs changed. */
import { SegmentedControl } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Waiting } from "../../parts/answer";
import { Page } from "../../parts/page";
import { PersonaSelect } from "../../parts/persona-select";
import { setParams, useParam } from "../../router";
import { Sessions } from "./sessions";
import classes from "./timeline.module.css";

// Comparing texts needs a library that looking at sessions does not.
const Spine = lazy(async () => ({ default: (await import("./spine")).Spine }));
const Rolling = lazy(async () => ({ default: (await import("./rolling")).Rolling }));
const Briefs = lazy(async () => ({ default: (await import("./briefs")).Briefs }));

const VIEWS = {
  sessions: { label: "Sessions", lead: "When you talked, what mattered, and what was left open." },
  spine: { label: "Overall", lead: "Overall summary: what is known across all chats, by version." },
  rolling: { label: "Recent", lead: "Recent summary: the last turns with a persona, by version." },
  briefs: { label: "By chat", lead: "Summaries of older messages, by version." },
};

export default function TimelinePage() {
  const [said] = useParam("view");
  const view = said in VIEWS ? (said as keyof typeof VIEWS) : "sessions";
  return (
    <Page
      title="Timeline"
      lead={VIEWS[view].lead}
      fill
      actions={
        <>
          {view !== "spine" && <PersonaSelect />}
          <SegmentedControl
            size="xs"
            aria-label="View"
            value={view}
            onChange={(next) =>
              setParams(
                { view: next === "sessions" ? "" : next, session: "", version: "", against: "" },
                { replace: false },
              )
            }
            data={Object.entries(VIEWS).map(([value, { label }]) => ({ value, label }))}
          />
        </>
      }
    >
      <div className={classes.root}>
        <Suspense fallback={<Waiting />}>
          {view === "sessions" && <Sessions />}
          {view === "spine" && <Spine />}
          {view === "rolling" && <Rolling />}
          {view === "briefs" && <Briefs />}
        </Suspense>
      </div>
    </Page>
  );
}
