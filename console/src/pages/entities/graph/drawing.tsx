/** The picture: lines, points, and as many names as have room. What is pointed at stands out with its neighbours. */
import { ActionIcon, Group } from "@mantine/core";
import { Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { counted, TYPE_NAMES } from "../names";
import classes from "./graph.module.css";
import { outline } from "./outline";
import { useView } from "./use-view";
import {
  centred,
  drawn,
  fitted,
  type Graph,
  labelled,
  nearest,
  neighbourhood,
  type Place,
  radius,
  type Size,
  seen,
  short,
  zoomed,
} from "./view";

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
    onClick: (at, now) => onChoose(points[nearest(points, now, at)]?.key ?? ""),
  });
  const active = hovered || pointed || chosen;
  const beside = neighbours.get(active);
  const active_ = points.some(({ key }) => key === active) ? active : "";

  // What was chosen elsewhere is brought into sight.
  useEffect(() => {
    const point = points.find(({ key }) => key === chosen);
    if (point) setView((old) => (seen(point, old, size) ? old : centred(old, point, size)));
  }, [chosen, points, setView, size]);

  const names = points.map((point) => ({
    ...point,
    gap: point.gap * view.scale + 3,
    must: point.key === active_ || Boolean(active_ && beside?.has(point.key)),
  }));
  const named = labelled(names, view, size).map((index) => names[index]);
  const middle = { x: size.width / 2, y: size.height / 2 };
  const ties = counted(graph.edges.length, "tie");
  return (
    <>
      <svg
        ref={svg}
        className={classes.drawing}
        width={size.width}
        height={size.height}
        role="img"
        aria-label={`${counted(graph.nodes.length, "entity", "entities")}, ${ties}. The list of names says the same in words.`}
        data-over={hovered ? "" : undefined}
      >
        <g
          transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}
          data-active={active_ ? "" : undefined}
        >
          <Lines graph={graph} points={points} active={active_} />
          <Points points={points} active={active_} beside={beside} />
        </g>
        {named.map((name) => {
          if (!name) return null;
          const { x, y } = drawn(name, view);
          return (
            <text
              key={name.key}
              className={classes.name}
              x={x}
              y={y + name.gap + 10}
              data-faded={active_ && !name.must ? "" : undefined}
              data-active={name.key === active_ ? "" : undefined}
            >
              {short(name.label)}
            </text>
          );
        })}
      </svg>
      <Legend graph={graph} />
      <Group gap={2} className={classes.controls}>
        <ActionIcon
          aria-label="Nearer"
          title="Nearer"
          onClick={() => setView((old) => zoomed(old, 1.4, middle))}
        >
          <ZoomIn size={17} aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label="Farther"
          title="Farther"
          onClick={() => setView((old) => zoomed(old, 1 / 1.4, middle))}
        >
          <ZoomOut size={17} aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label="Everything"
          title="Everything"
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

function Legend({ graph }: { graph: Graph }) {
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
