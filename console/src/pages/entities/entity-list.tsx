/** The names: searched, filtered, ordered. Beside the graph it is also the way through it for whoever uses no mouse. */
import { Group, SegmentedControl, Select, Text } from "@mantine/core";
import { Network } from "lucide-react";
import { type SyntheticEvent, useMemo } from "react";
import { Answer } from "../../parts/answer";
import { named } from "../../parts/bidi";
import { EmptyState } from "../../parts/empty-state";
import { Name } from "../../parts/name";
import { RelativeTime } from "../../parts/relative-time";
import { SearchBox } from "../../parts/search-box";
import { UserText } from "../../parts/user-text";
import { VirtualList } from "../../parts/virtual-list";
import { useParam } from "../../router";
import classes from "./entities.module.css";
import { counted, type Entity, found, isOrder, nameOf, ORDERS, ordered, TYPES } from "./names";
import { TypeMark } from "./type-mark";
import { useEntities } from "./use-entities";

export interface EntityListProps {
  chosen: string;
  onChoose: (key: string) => void;
  /** Which row has the focus or is under the pointer; empty: none. */
  onPoint: (key: string) => void;
}

export function EntityList({ chosen, onChoose, onPoint }: EntityListProps) {
  const [typed, setTyped] = useParam("q");
  const [type, setType] = useParam("type");
  const [said, setOrder] = useParam("order");
  const order = isOrder(said) ? said : "recent";
  const entities = useEntities({ type, whole: Boolean(typed) || order !== "recent" });
  const shown = useMemo(
    () => ordered(found(entities.data ?? [], typed), order),
    [entities.data, typed, order],
  );

  function point(event: SyntheticEvent) {
    const row = (event.target as Element).closest<HTMLElement>("[data-index]");
    onPoint((row && shown[Number(row.dataset["index"])]?.key) ?? "");
  }

  return (
    <section className={classes.list} aria-label="Names">
      <SearchBox label="Search names" value={typed} onChange={setTyped} />
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label="Type"
        value={type}
        onChange={setType}
        data={[{ value: "", label: "all" }, ...TYPES.map((name) => ({ value: name, label: name }))]}
      />
      <Answer of={entities}>
        {(all) =>
          all.length === 0 && !type ? (
            <EmptyState icon={Network} title="No entities yet">
              People, organisations, places and projects appear here as soon as a memory names them: say “My
              sister Elin lives in Malmö”.
            </EmptyState>
          ) : (
            <>
              <Group justify="space-between" gap="xs" wrap="nowrap">
                <Text size="xs" c="dimmed" role="status">
                  {counted(shown.length, "name")}
                  {entities.hasNextPage ? " and more" : ""}
                </Text>
                <Select
                  size="xs"
                  w={150}
                  aria-label="Order"
                  allowDeselect={false}
                  value={order}
                  onChange={(next) => setOrder(next === "recent" || !next ? "" : next)}
                  data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
                />
              </Group>
              {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows are the controls; this only watches them */}
              <div
                className={classes.rows}
                onFocus={point}
                onBlur={() => onPoint("")}
                onMouseOver={point}
                onMouseLeave={() => onPoint("")}
              >
                {shown.length === 0 ? (
                  <Text size="sm" c="dimmed" p="sm">
                    No name holds “<Name>{typed}</Name>”. Names are searched, not what is known about them:
                    that is under Memories.
                  </Text>
                ) : (
                  <VirtualList
                    label="Entities"
                    items={shown}
                    keyOf={(entity) => entity.key}
                    estimate={50}
                    chosen={chosen}
                    onChoose={(entity) => onChoose(entity.key)}
                    onEnd={entities.more}
                  >
                    {(entity) => <Row entity={entity} />}
                  </VirtualList>
                )}
              </div>
            </>
          )
        }
      </Answer>
    </section>
  );
}

function Row({ entity }: { entity: Entity }) {
  return (
    <div className={classes.row}>
      <TypeMark type={entity.type} />
      <div>
        <UserText lines={1} shown={120}>
          {entity.label}
        </UserText>
        <div className={classes.quiet}>
          {entity.aliases.length > 0 && (
            <UserText
              lines={1}
              shown={120}
            >{`also ${entity.aliases.map((alias) => named(nameOf(alias))).join(", ")}`}</UserText>
          )}
          <RelativeTime at={entity.last_mentioned} />
        </div>
      </div>
      <span className={classes.quiet}>{counted(entity.fact_count, "fact")}</span>
    </div>
  );
}
