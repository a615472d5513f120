/** Two versions beside each other, section by section; below each other where the window is narrow. */
import { Anchor, Text, Title } from "@mantine/core";
import { useState } from "react";
import { contained, cut } from "../../parts/bidi";
import { type Piece, type Row, type Stretch, sideBySide, stretches } from "./diff";
import classes from "./timeline.module.css";

export interface Section {
  name: string;
  text: string;
}

/** Lines that stayed are folded when there are more than these. */
const FEW = 3;

export interface SideBySideProps {
  /** Null: there is nothing before. */
  before: Section[] | null;
  after: Section[];
}

export function SideBySide({ before, after }: SideBySideProps) {
  return after.map(({ name, text }) => {
    const rows = sideBySide(before?.find((section) => section.name === name)?.text ?? "", text);
    return (
      <section key={name} className={classes.section} aria-label={name || "Text"}>
        {name && (
          <Title order={3} className={classes.sectionName}>
            {name}
          </Title>
        )}
        {rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing.
          </Text>
        ) : (
          stretches(rows).map((stretch, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no other name
            <Lines key={index} stretch={stretch} />
          ))
        )}
      </section>
    );
  });
}

function Lines({ stretch }: { stretch: Stretch }) {
  const [open, setOpen] = useState(false);
  const folded = stretch.same && stretch.rows.length > FEW && !open;
  if (folded) {
    return (
      <Anchor
        component="button"
        type="button"
        size="xs"
        className={classes.fold}
        onClick={() => setOpen(true)}
      >
        {stretch.rows.length} lines stayed
      </Anchor>
    );
  }
  return (
    <ol className={classes.lines}>
      {stretch.rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
        <li key={index} className={classes.line} data-kind={row.kind}>
          <Side row={row} side="before" />
          <Side row={row} side="after" />
        </li>
      ))}
    </ol>
  );
}

/** Characters of a piece that are shown; what is longer was never written by a summariser. */
const SHOWN = 3000;

function Side({ row, side }: { row: Row; side: "before" | "after" }) {
  const pieces = row[side];
  const Mark = side === "before" ? "del" : "ins";
  return (
    // What stayed is on both sides for the eye, and said once.
    <div
      className={classes.side}
      data-side={side}
      dir="auto"
      aria-hidden={row.kind === "same" && side === "before" ? true : undefined}
    >
      {pieces?.map((piece, index) =>
        piece.own ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
          <Mark key={index}>{said(piece)}</Mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
          <span key={index}>{said(piece)}</span>
        ),
      )}
    </div>
  );
}

function said({ text }: Piece): string {
  return contained(cut(text, SHOWN));
}
