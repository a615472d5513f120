/** The picture: lines, points, and as many names as have room. What is pointed at stands out with its neighbours. */
import { ActionIcon, Group } from "@mantine/core";
import { Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { counted } from "../names";
import classes from "./graph.module.css";
import { Legend } from "./legend";
import { outline } from "./outline";
import { useView } from "./use-view";
import {
  fitted,
  type Graph,
  labelled,
  nearest,
  neighbourhood,
  type Place,
  radius,
  type Size,
  short,
  zoomed,
} from "./view";

/** How near a neighbourhood is shown at most. */
const CLOSE = 2.4;

export interface DrawingProps {
  graph: Graph;
  places: Place[];
  size: Size;
  chosen: string;
  pointed: string;
  onChoose: (key: string) => void;
}

export function Drawing({ graph, places, size, chosen, pointed, onChoose }: DrawingProps) {
  const svg = useRef<SVGSVGElement>(null);
  const clicked = useRef("");
  const { width, height } = size;
  const [hovered, setHovered] = useState("");
  const neighbours = useMemo(() => neighbourhood(graph.edges), [graph.edges]);
  const points = useMemo(
    () =>
      graph.nodes.map((node, index) => ({
        ...node,
        x: places[index]?.x ?? 0,
        y: places[index]?.y ?? 0,
        gap: radius(node.count),
      })),
    [graph.nodes, places],
  );
  const [view, setView] = useView(svg, places, size, {
    onHover: (at, now) => setHovered((at && points[nearest(points, now, at)]?.key) ?? ""),
    onClick: (at, now) => {
      const key = points[nearest(points, now, at)]?.key ?? "";
      clicked.current = key;
      if (key || chosen) onChoose(key);
    },
  });
  // Beyond the most mentioned there are others; what is not in the picture makes nothing else fade.
  const active = [hovered, pointed, chosen].find((key) => points.some((point) => point.key === key)) ?? "";
  const beside = neighbours.get(active);

  // What was chosen elsewhere is shown with its neighbours; what was clicked here is in sight already.
  useEffect(() => {
    if (!chosen || clicked.current === chosen) return;
    const near = points.filter(({ key }) => key === chosen || neighbours.get(chosen)?.has(key));
    if (near.some(({ key }) => key === chosen)) setView(() => fitted(near, { width, height }, CLOSE));
  }, [chosen, points, neighbours, setView, width, height]);

  const names = points.map((point) => ({
    ...point,
    gap: point.gap * view.scale,
    rank:
      point.key === active ? (2 as const) : active && beside?.has(point.key) ? (1 as const) : (0 as const),
  }));
  const labels = labelled(names, view, size);
  const middle = { x: width / 2, y: height / 2 };
  const ties = counted(graph.edges.length, "tie");
  return (
    <>
      <svg
        ref={svg}
        className={classes.drawing}
        width={width}
        height={height}
        role="img"
        aria-label={`${counted(graph.nodes.length, "entity", "entities")}, ${ties}. The list of names says the same in words.`}
        data-over={hovered ? "" : undefined}
      >
        <g
          transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}
          data-active={active ? "" : undefined}
        >
          <Lines graph={graph} points={points} active={active} />
          <Points points={points} active={active} beside={beside} />
        </g>
        {labels.map(({ index, x, y }) => {
          const name = names[index];
          if (!name || (active && !name.rank)) return null;
          return (
            <text
              key={name.key}
              className={classes.name}
              x={x}
              y={y}
              data-active={name.rank === 2 ? "" : undefined}
            >
              {short(name.label)}
            </text>
          );
        })}
      </svg>
      <Legend graph={graph} />
      <Group gap={2} className={classes.controls}>
        <ActionIcon
          aria-label="Zoom in"
          title="Zoom in"
          onClick={() => setView((old) => zoomed(old, 1.4, middle))}
        >
          <ZoomIn size={17} aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label="Zoom out"
          title="Zoom out"
          onClick={() => setView((old) => zoomed(old, 1 / 1.4, middle))}
        >
          <ZoomOut size={17} aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label="Show all"
          title="Show all"
          onClick={() => setView(() => fitted(places, size))}
        >
          <Maximize2 size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </>
  );
}

type Point = Graph["nodes"][number] & Place & { gap: number };

const Lines = memo(function Lines({
  graph,
  points,
  active,
}: {
  graph: Graph;
  points: Point[];
  active: string;
}) {
  const at = useMemo(() => new Map(points.map((point) => [point.key, point])), [points]);
  return graph.edges.map(({ a, b, count }) => {
    const [from, to] = [at.get(a), at.get(b)];
    if (!from || !to) return null;
    return (
      <line
        key={`${a} ${b}`}
        className={classes.line}
        x1={from.x}
        y1={from.y}
        x2={to.x}
        y2={to.y}
        strokeWidth={Math.min(4, 0.75 + count / 3)}
        data-active={a === active || b === active ? "" : undefined}
      />
    );
  });
});

interface PointsProps {
  points: Point[];
  active: string;
  beside: Set<string> | undefined;
}

const Points = memo(function Points({ points, active, beside }: PointsProps) {
  return points.map((point) => (
    <path
      key={point.key}
      className={classes.point}
      d={outline(point.type, point.gap)}
      transform={`translate(${point.x} ${point.y})`}
      data-type={point.type}
      data-active={point.key === active || beside?.has(point.key) ? "" : undefined}
    />
  ));
});
