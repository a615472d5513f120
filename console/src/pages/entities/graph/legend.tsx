/** Which form and colour is what. */
import { Group } from "@mantine/core";
import { TYPE_NAMES } from "../names";
import classes from "./graph.module.css";
import { outline } from "./outline";
import type { Graph } from "./view";

export function Legend({ graph }: { graph: Graph }) {
  const types = Object.keys(TYPE_NAMES).filter((type) => graph.nodes.some((node) => node.type === type));
  return (
    <Group gap="sm" className={classes.legend}>
      {types.map((type) => (
        <Group key={type} gap={5} wrap="nowrap">
          <svg width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true">
            <path className={classes.point} d={outline(type, 5)} data-type={type} />
          </svg>
          {TYPE_NAMES[type]}
        </Group>
      ))}
    </Group>
  );
}
