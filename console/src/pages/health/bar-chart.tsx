/** Bars of numbers, with the numbers as a table for whoever does not see them. */
import { Text, VisuallyHidden } from "@mantine/core";
import { AxisBottom, AxisLeft } from "@visx/axis";
import { GridRows } from "@visx/grid";
import { Group } from "@visx/group";
import { ParentSize } from "@visx/responsive";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar as Rect } from "@visx/shape";
import type { Bar } from "./figures";
import classes from "./health.module.css";

export interface BarChartProps {
  title: string;
  /** What a bar counts by: "Week", "Importance". */
  by: string;
  bars: Bar[];
  /** A label as it stands below the axis. */
  shown?: (label: string) => string;
}

const HEIGHT = 190;
const MARGIN = { top: 8, right: 4, bottom: 24, left: 36 };
/** Pixels between two labels below the axis, at least. */
const APART = 56;
const QUIET = { fill: "var(--recollect-quiet)", fontSize: 11, fontFamily: "inherit" } as const;

export default function BarChart({ title, by, bars, shown = (label) => label }: BarChartProps) {
  return (
    <figure className={classes.chart}>
      <Text component="figcaption" size="sm" fw={600} mb={8}>
        {title}
      </Text>
      <div className={classes.plot}>
        <ParentSize debounceTime={50}>
          {({ width }) => width > 0 && <Plot width={width} bars={bars} shown={shown} title={title} />}
        </ParentSize>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th>{by}</th>
              <th>Memories</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <td>{label}</td>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

type PlotProps = Pick<BarChartProps, "bars" | "title"> & { width: number; shown: (label: string) => string };

function Plot({ width, bars, shown, title }: PlotProps) {
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const x = scaleBand({ domain: bars.map(({ label }) => label), range: [0, inner.width], padding: 0.25 });
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const y = scaleLinear({ domain: [0, most], range: [inner.height, 0], nice: true });
  const ticks = Math.min(4, most);
  const step = Math.max(1, Math.ceil(bars.length / Math.max(1, inner.width / APART)));
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      <title>{title}</title>
      <Group left={MARGIN.left} top={MARGIN.top}>
        <GridRows scale={y} width={inner.width} numTicks={ticks} stroke="var(--recollect-line)" />
        {bars.map(({ label, value }) => (
          <Rect
            key={label}
            x={x(label) ?? 0}
            y={y(value)}
            width={x.bandwidth()}
            height={inner.height - y(value)}
            rx={2}
            className={classes.bar ?? ""}
          >
            <title>{`${shown(label)}: ${value}`}</title>
          </Rect>
        ))}
        <AxisLeft
          scale={y}
          numTicks={ticks}
          hideAxisLine
          hideTicks
          tickLabelProps={{ ...QUIET, textAnchor: "end", dx: -2, dy: 4 }}
        />
        <AxisBottom
          scale={x}
          top={inner.height}
          stroke="var(--recollect-line)"
          hideTicks
          tickValues={bars.filter((_, at) => at % step === 0).map(({ label }) => label)}
          tickFormat={shown}
          tickLabelProps={{ ...QUIET, textAnchor: "middle" }}
        />
      </Group>
    </svg>
  );
}
