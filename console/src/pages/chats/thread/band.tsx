/** A folded segment: its summary in place of its messages, until somebody opens it. */

import { Text, UnstyledButton } from "@mantine/core";
import { ChevronDown, ChevronRight } from "lucide-react";
import { memo } from "react";
import { many } from "../../../parts/many";
import { UserText } from "../../../parts/user-text";
import { oneLine, type Summary } from "./rows";
import classes from "./thread.module.css";

export const Band = memo(function Band({
  name,
  summary,
  open,
  active,
  onTurn,
}: {
  /** The key of its row. */
  name: string;
  summary: Summary;
  open: boolean;
  active: boolean;
  onTurn: (name: string) => void;
}) {
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <div className={classes.band} data-open={open || undefined}>
      <UnstyledButton
        className={classes.bandTurn}
        aria-expanded={open}
        tabIndex={active ? 0 : -1}
        onClick={() => onTurn(name)}
      >
        <Icon size={15} aria-hidden />
        <Text size="xs" fw={600} component="span">
          {many(summary.message_count, "message")} folded
        </Text>
        <Text size="xs" c="dimmed" component="span" ml="auto">
          {summary.covered_tokens.toLocaleString("en")} → {summary.tokens.toLocaleString("en")} tokens
        </Text>
      </UnstyledButton>
      {!open && (
        <Text size="sm" c="dimmed" component="div" className={classes.bandText}>
          <UserText lines={2}>{oneLine(summary.summary)}</UserText>
        </Text>
      )}
    </div>
  );
});
