/** A use of the tool that saves a memory: what it does in a few words, and on demand with what. */
import { Collapse, Loader, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { BookmarkPlus, ChevronRight } from "lucide-react";
import { CategoryBadge } from "../../parts/category-badge";
import { UserText } from "../../parts/user-text";
import classes from "./playground.module.css";
import { SAID, type ToolUse } from "./tool-use";

export function ToolCall({ use }: { use: ToolUse }) {
  const [open, { toggle }] = useDisclosure();
  return (
    <div className={classes.tool} data-state={use.state}>
      <UnstyledButton className={classes.toolHead} aria-expanded={open} onClick={toggle}>
        <BookmarkPlus size={15} strokeWidth={1.75} aria-hidden />
        <span aria-live="polite">{SAID[use.state]}</span>
        {use.state === "running" && <Loader size={12} aria-hidden />}
        <ChevronRight size={14} className={classes.chevron} data-open={open || undefined} aria-hidden />
      </UnstyledButton>
      <Collapse expanded={open}>
        <div className={classes.toolBody}>
          <Text size="sm" component="div">
            <UserText>{use.content}</UserText>
          </Text>
          {use.category && <CategoryBadge category={use.category} />}
          {use.message && (
            <Text size="xs" c="dimmed" component="div">
              <UserText lines={6}>{use.message}</UserText>
            </Text>
          )}
        </div>
      </Collapse>
    </div>
  );
}
