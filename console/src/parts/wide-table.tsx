/** A table that is scrolled sideways by itself where the window is narrow, also by keyboard. */
import { Table, type TableProps } from "@mantine/core";

export function WideTable({ label, minWidth, ...props }: TableProps & { label: string; minWidth: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section tabIndex={0} aria-label={label} style={{ overflowX: "auto" }}>
      <Table miw={minWidth} {...props} />
    </section>
  );
}
