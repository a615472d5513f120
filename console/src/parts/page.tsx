/** The frame of a page: its title, one line that says what it is for, its actions, and its content. */
import { Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import classes from "./page.module.css";

export interface PageProps {
  title: string;
  /** One sentence for somebody who sees the page for the first time. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** `fill`: the content takes the height of the window and scrolls by itself, as panes do. */
  fill?: boolean;
  children: ReactNode;
}

export function Page({ title, lead, actions, fill = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Recollect`;
  }, [title]);
  return (
    <div className={classes.page} data-fill={fill || undefined}>
      <header className={classes.header}>
        <div>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" size="sm" mt={2} maw="44rem">
              {lead}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      <div className={classes.content}>{children}</div>
    </div>
  );
}
