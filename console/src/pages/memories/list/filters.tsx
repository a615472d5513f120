/** The filters that are needed less often: status, tag, entity, and when a memory was made. */
import { Autocomplete, Button, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { $api } from "../../../api/client";
import { named } from "../../../parts/bidi";
import { MEMORIES } from "../cached";
import { countFolded, STATUSES } from "../filter";
import classes from "../memories.module.css";
import type { Memory } from "../memory";
import { useFilter } from "../use-filter";

export function Filters() {
  const [filter, setFilter] = useFilter();
  return (
    <div className={classes.filters}>
      <Select
        size="xs"
        label="Status"
        data={STATUSES}
        value={filter.status}
        allowDeselect={false}
        onChange={(status) => setFilter({ status: status ?? "" })}
        disabled={Boolean(filter.q)}
        {...(filter.q ? { description: "A search looks through what is known." } : {})}
      />
      <TagFilter value={filter.tag} onChange={(tag) => setFilter({ tag })} />
      <EntityFilter value={filter.entity} onChange={(entity) => setFilter({ entity })} />
      <TextInput
        size="xs"
        type="date"
        label="Made since"
        value={filter.since}
        max={filter.until || "9999-12-31"}
        onChange={(event) => setFilter({ since: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        type="date"
        label="Made until"
        value={filter.until}
        min={filter.since}
        max="9999-12-31"
        onChange={(event) => setFilter({ until: event.currentTarget.value })}
      />
      <Button
        size="xs"
        variant="subtle"
        disabled={!countFolded(filter)}
        onClick={() => setFilter({ status: "", tag: "", entity: "", since: "", until: "" })}
      >
        Clear
      </Button>
    </div>
  );
}

/** Whole tags only: what is typed counts with Enter, on leaving, or when a known tag is chosen. */
function TagFilter({ value, onChange }: { value: string; onChange: (tag: string) => void }) {
  const cache = useQueryClient();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const known = new Set<string>();
  for (const [, shown] of cache.getQueriesData<{ pages?: { memories: Memory[] }[] }>({ queryKey: MEMORIES }))
    for (const page of shown?.pages ?? [])
      for (const memory of page.memories) for (const tag of memory.tags) known.add(tag);
  return (
    <Autocomplete
      size="xs"
      label="Tag"
      placeholder="Any"
      data={[...known].sort()}
      limit={30}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        if (!next) onChange("");
      }}
      onOptionSubmit={onChange}
      onBlur={() => onChange(typed.trim())}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChange(event.currentTarget.value.trim());
      }}
    />
  );
}

/** The most entities that the service names at once; the others are found by typing on the page of entities. */
const ENTITIES = 500;

function EntityFilter({ value, onChange }: { value: string; onChange: (key: string) => void }) {
  const entities = $api.useQuery("get", "/v1/entities", { params: { query: { limit: ENTITIES } } });
  const data = (entities.data?.entities ?? []).map(({ key, label, type }) => ({
    value: key,
    label: `${named(label)} · ${type}`,
  }));
  if (value && !data.some((item) => item.value === value)) data.unshift({ value, label: value });
  return (
    <Select
      size="xs"
      label="Entity"
      placeholder="Any"
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Any entity" }}
      nothingFoundMessage="Nobody of that name"
      data={data}
      limit={50}
      value={value || null}
      onChange={(key) => onChange(key ?? "")}
    />
  );
}
