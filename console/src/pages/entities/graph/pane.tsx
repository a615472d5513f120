/** The graph of who is mentioned with whom: asked for, arranged off this thread, and drawn. */
import { Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { Network } from "lucide-react";
import { $api } from "../../../api/client";
import { Answer } from "../../../parts/answer";
import { EmptyState } from "../../../parts/empty-state";
import { many } from "../../../parts/many";
import { Drawing } from "./drawing";
import classes from "./graph.module.css";
import { useArranged } from "./use-arranged";
import type { Graph, Size } from "./view";

/** The most entities of a picture that can still be read. */
const MOST = 300;

export interface GraphPaneProps {
  className: string;
  chosen: string;
  /** The name in the list that has the focus or the pointer. */
  pointed: string;
  onChoose: (key: string) => void;
}

export default function GraphPane({ className, ...shown }: GraphPaneProps) {
  const { ref, width, height } = useElementSize();
  const graph = $api.useQuery("get", "/v1/entities/graph", { params: { query: { limit: MOST } } });
  return (
    <section ref={ref} className={`${className} ${classes.pane}`} aria-label="Graph">
      <Answer of={graph}>
        {(found) =>
          found.nodes.length === 0 ? (
            <EmptyState icon={Network} title="No graph yet">
              A memory that names two, such as a person and a place, ties them together here.
            </EmptyState>
          ) : (
            <Arranged graph={found} size={{ width, height }} {...shown} />
          )
        }
      </Answer>
    </section>
  );
}

function Arranged({
  graph,
  size,
  ...shown
}: { graph: Graph; size: Size } & Omit<GraphPaneProps, "className">) {
  const { arranged, failed } = useArranged(graph, size);
  if (failed) {
    return (
      <Text size="sm" c="dimmed" p="md">
        This browser could not arrange the graph. The list has every name, and each name says who is mentioned
        with it.
      </Text>
    );
  }
  if (!arranged || size.width === 0) {
    return (
      <Text size="sm" c="dimmed" p="md" role="status" aria-label="Loading">
        Arranging {many(graph.nodes.length, "name")} …
      </Text>
    );
  }
  return <Drawing {...arranged} size={size} {...shown} />;
}
