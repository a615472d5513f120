/** A row of numbers with their names. */
import { Text } from "@mantine/core";
import classes from "./health.module.css";

export function Figures({ of }: { of: [name: string, value: number | string][] }) {
  return (
    <dl className={classes.figures}>
      {of.map(([name, value]) => (
        <div key={name} className={classes.figure}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" fz="lg" fw={600} m={0} className={classes.number ?? ""}>
            {typeof value === "number" ? value.toLocaleString("en") : value}
          </Text>
        </div>
      ))}
    </dl>
  );
}
