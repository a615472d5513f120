/** Entities: the people, organisations, places and projects that memories mention, under which names, and who with whom. */
import { SegmentedControl } from "@mantine/core";
import { lazy, Suspense, useCallback, useState } from "react";
import { Waiting } from "../../parts/answer";
import { Page } from "../../parts/page";
import { useParam } from "../../router";
import { Detail } from "./detail";
import classes from "./entities.module.css";
import { EntityList } from "./entity-list";
import { NamesView } from "./names-view";
import { useProposals } from "./use-entities";

const GraphPane = lazy(() => import("./graph/pane"));

export default function EntitiesPage() {
  const [view, setView] = useParam("view");
  const waiting = useProposals().data?.length ?? 0;
  const shown = view === "graph" || view === "names" ? view : "list";
  return (
    <Page
      title="Entities"
      lead="People, places and projects in your memories, and how they are connected."
      fill={shown !== "names"}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={shown}
          onChange={(next) => setView(next === "list" ? "" : next)}
          data={[
            { value: "list", label: "List" },
            { value: "graph", label: "Graph" },
            { value: "names", label: waiting ? `Names to decide (${waiting})` : "Names" },
          ]}
        />
      }
    >
      {shown === "names" ? <NamesView /> : <Panes view={shown} />}
    </Page>
  );
}

function Panes({ view }: { view: "list" | "graph" }) {
  const [chosen, setChosen] = useParam("entity");
  const [pointed, setPointed] = useState("");
  const choose = useCallback((key: string) => setChosen(key, { push: true }), [setChosen]);
  return (
    <div className={classes.root}>
      <div className={classes.panes} data-view={view} data-chosen={chosen ? "" : undefined}>
        <EntityList chosen={chosen} onChoose={choose} onPoint={setPointed} />
        {(view === "graph" || !chosen) && (
          <Suspense fallback={<Waiting />}>
            <GraphPane className={classes.graph ?? ""} chosen={chosen} pointed={pointed} onChoose={choose} />
          </Suspense>
        )}
        {chosen && <Detail key={chosen} entityKey={chosen} onChoose={choose} />}
      </div>
    </div>
  );
}
