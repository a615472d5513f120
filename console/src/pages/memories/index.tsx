/** Memories: what is known, why it was found, what became of it, and what a person should decide. */
import { Badge, Button, Drawer, Group, Tabs } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import type { QueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import type { KeyboardEvent } from "react";
import { pagesOf } from "../../api/pages";
import { Page } from "../../parts/page";
import { PersonaSelect } from "../../parts/persona-select";
import { param, setParams, useParam } from "../../router";
import { useSession } from "../../session/session";
import { Add } from "./add";
import { aboutMemories, Decide, useProposals } from "./decide/decide";
import { Detail } from "./detail/detail";
import { Receipts } from "./forgetting";
import { AsOf } from "./list/as-of";
import { List } from "./list/list";
import { Toolbar } from "./list/toolbar";
import classes from "./memories.module.css";
import { filterNow, useFilter } from "./use-filter";
import { listAsked } from "./use-memories";
import { useShown } from "./use-shown";

/** From here on the memory stands beside the list; the style sheet says the same. */
const WIDE = "(min-width: 62em)";

/** Asked while the console still finds out who is there. */
export async function ahead(cache: QueryClient): Promise<void> {
  if (!param("q")) await cache.prefetchInfiniteQuery(pagesOf(...listAsked(filterNow())));
}

export default function MemoriesPage() {
  const { writes } = useSession();
  const [view, setView] = useParam("view");
  const [adding, { open, close }] = useDisclosure();
  const deciding = view === "decide";
  return (
    <Receipts>
      <Page
        title="Memories"
        lead="What is remembered, where it came from and how it changed."
        fill={!deciding}
        actions={
          <>
            <PersonaSelect />
            {writes && (
              <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
                Add a memory
              </Button>
            )}
          </>
        }
      >
        <Group
          h="100%"
          style={{ flexDirection: "column", flexWrap: "nowrap", alignItems: "stretch" }}
          gap="sm"
        >
          <Views chosen={deciding ? "decide" : "known"} choose={(next) => setView(next, { push: true })} />
          {deciding ? <Decide /> : <Known onAdd={writes ? open : null} />}
        </Group>
      </Page>
      <Add
        opened={adding}
        onClose={close}
        onOpen={(memory) => {
          close();
          setParams({ view: "", memory }, { replace: false });
        }}
      />
    </Receipts>
  );
}

function Views({ chosen, choose }: { chosen: string; choose: (view: string) => void }) {
  const proposals = useProposals();
  const open = aboutMemories(proposals.data?.proposals ?? []).length;
  return (
    <Tabs value={chosen} onChange={(value) => choose(value === "decide" ? "decide" : "")}>
      <Tabs.List aria-label="Views">
        <Tabs.Tab value="known">All</Tabs.Tab>
        <Tabs.Tab value="decide" rightSection={open > 0 && <Badge circle>{open}</Badge>}>
          Review
        </Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}

function Known({ onAdd }: { onAdd: (() => void) | null }) {
  const [filter] = useFilter();
  const [memoryId, choose] = useParam("memory");
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const shown = useShown(filter, memoryId);
  const close = () => choose("");
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.defaultPrevented) close();
  };
  const detail = memoryId && (
    <Detail
      key={memoryId}
      memoryId={memoryId}
      shown={shown}
      moment={filter.as_of}
      {...(wide ? { onClose: close } : {})}
    />
  );
  return (
    <div className={`${classes.panes} ${classes.fill}`} data-open={memoryId ? true : undefined}>
      <div className={classes.left}>
        <Toolbar />
        <AsOf />
        <div className={classes.list}>
          <List onAdd={onAdd} />
        </div>
      </div>
      {wide ? (
        detail && (
          <section
            className={classes.detail}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            tabIndex={0}
            aria-label="The chosen memory"
            onKeyDown={closeOnEscape}
          >
            {detail}
          </section>
        )
      ) : (
        <Drawer
          opened={Boolean(memoryId)}
          onClose={close}
          // The library would close it whoever meant the key: a form in it, or a question above it.
          closeOnEscape={false}
          onKeyDown={closeOnEscape}
          position="right"
          size="100%"
          title="The chosen memory"
          closeButtonProps={{ "aria-label": "Close" }}
        >
          {detail}
        </Drawer>
      )}
    </div>
  );
}
