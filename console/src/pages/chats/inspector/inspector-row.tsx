/** One row of the inspector: a section, a heading inside it, a line with its reason, or what was left out. */

import { Anchor, Text, UnstyledButton } from "@mantine/core";
import { ChevronDown, ChevronRight } from "lucide-react";
import { many } from "../../../parts/many";
import { UserText } from "../../../parts/user-text";
import classes from "./inspector.module.css";
import { type Row, titleOf } from "./lines";
import { addressOf, nameOf, type Target } from "./targets";

/** Characters of a line that are shown at first, and sources that are named. */
const SHOWN = 900;
const NAMED = 4;

interface InspectorRowProps {
  row: Row;
  onTurn: (key: string) => void;
  onJump: (message: string) => void;
}

export function InspectorRow({ row, onTurn, onJump }: InspectorRowProps) {
  if (row.kind === "section") {
    return (
      <Heading
        row={row}
        text={row.title}
        tokens={row.tokens}
        lines={row.lines}
        onTurn={() => onTurn(row.key)}
      />
    );
  }
  if (row.kind === "group") {
    return (
      <div className={classes.group}>
        <UserText shown={200}>{row.text}</UserText>
      </div>
    );
  }
  if (row.kind === "left-out") {
    return (
      <div className={classes.leftOut}>
        <Text fw={600} size="sm" component="h3">
          Left out
        </Text>
        <Text size="xs" c="dimmed">
          {many(row.lines, "line")}, {many(row.tokens, "token")}
        </Text>
      </div>
    );
  }
  if (row.kind === "reason") {
    return (
      <Heading
        row={row}
        text={row.why}
        tokens={row.tokens}
        lines={row.lines}
        quiet
        onTurn={() => onTurn(row.key)}
      />
    );
  }
  const why = row.kind === "line" ? row.why : `${titleOf(row.section)}${row.cut ? ", in part" : ""}`;
  return (
    <div className={classes.line} data-dropped={row.kind === "dropped" || undefined}>
      <Text size="sm" component="div" className={classes.text}>
        <UserText shown={SHOWN}>{row.text}</UserText>
      </Text>
      <span className={classes.tokens} title={many(row.tokens, "token")}>
        {row.tokens.toLocaleString("en")}
      </span>
      <div className={classes.why}>
        <UserText>{why}</UserText>
        <Sources targets={row.targets} onJump={onJump} />
      </div>
    </div>
  );
}

function Heading(props: {
  row: { open: boolean };
  text: string;
  tokens: number;
  lines: number;
  quiet?: boolean;
  onTurn: () => void;
}) {
  const Icon = props.row.open ? ChevronDown : ChevronRight;
  return (
    <UnstyledButton
      className={classes.heading}
      data-quiet={props.quiet}
      aria-expanded={props.row.open}
      onClick={props.onTurn}
    >
      <Icon size={14} aria-hidden />
      <span className={classes.headingText}>
        <UserText lines={2}>{props.text}</UserText>
      </span>
      <span className={classes.count}>{many(props.lines, "line")}</span>
      <span className={classes.tokens} title={many(props.tokens, "token")}>
        {props.tokens.toLocaleString("en")}
      </span>
    </UnstyledButton>
  );
}

function Sources({ targets, onJump }: { targets: Target[]; onJump: (message: string) => void }) {
  return (
    <>
      {targets.slice(0, NAMED).map((target) => {
        const address = addressOf(target);
        const name = nameOf(target);
        if (address) {
          return (
            <Anchor key={target.id} href={address} size="xs" title={target.id}>
              {name}
            </Anchor>
          );
        }
        if (target.kind !== "message") {
          return (
            <span key={target.id} title={target.id}>
              {name}
            </span>
          );
        }
        return (
          <Anchor
            key={target.id}
            component="button"
            type="button"
            size="xs"
            title={target.id}
            onClick={() => onJump(target.id)}
          >
            {name}
          </Anchor>
        );
      })}
      {targets.length > NAMED && <span>and {targets.length - NAMED} more</span>}
    </>
  );
}
