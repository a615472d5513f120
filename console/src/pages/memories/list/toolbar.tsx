/** Above the list: search, categories with their counts, and the filters that are needed less often. */
import { Button, Chip, Collapse, Group, Indicator } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { SlidersHorizontal } from "lucide-react";
import { $api } from "../../../api/client";
import { CATEGORIES } from "../../../parts/category-badge";
import { SearchBox } from "../../../parts/search-box";
import { countFolded } from "../filter";
import classes from "../memories.module.css";
import { useFilter } from "../use-filter";
import { Filters } from "./filters";

export function Toolbar() {
  const [filter, setFilter] = useFilter();
  const folded = countFolded(filter);
  const [open, { toggle }] = useDisclosure(folded > 0);
  return (
    <div className={classes.toolbar}>
      <Group gap="xs" wrap="nowrap">
        <div className={classes.search}>
          <SearchBox
            label="Search memories"
            placeholder="Search memories"
            value={filter.q}
            onChange={(q) => setFilter({ q })}
          />
        </div>
        <Indicator label={folded} size={16} disabled={!folded}>
          <Button
            variant="default"
            leftSection={<SlidersHorizontal size={15} aria-hidden />}
            aria-expanded={open}
            onClick={toggle}
          >
            Filters
          </Button>
        </Indicator>
      </Group>
      <Collapse expanded={open}>{open && <Filters />}</Collapse>
      <Categories chosen={filter.category} choose={(category) => setFilter({ category })} />
    </div>
  );
}

function Categories({ chosen, choose }: { chosen: string; choose: (category: string) => void }) {
  const stats = $api.useQuery("get", "/memories/stats", {});
  const counts: Record<string, number> = stats.data?.by_category ?? {};
  return (
    <fieldset className={classes.categories} aria-label="Category">
      <Chip.Group value={chosen} onChange={(value) => choose(String(value))}>
        <Chip value="" size="xs" variant="light">
          all <Count of={stats.data?.total} />
        </Chip>
        {CATEGORIES.map((name) => (
          <Chip key={name} value={name} size="xs" variant="light">
            {name} <Count of={stats.data && (counts[name] ?? 0)} />
          </Chip>
        ))}
      </Chip.Group>
    </fieldset>
  );
}

function Count({ of }: { of: number | undefined }) {
  return <span className={classes.count}>{of?.toLocaleString("en") ?? "–"}</span>;
}
