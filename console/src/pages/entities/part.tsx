/** A part of what is known about an entity, under its own heading. */
import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

export interface PartProps {
  title: string;
  lead?: string;
  aside?: ReactNode;
  children: ReactNode;
}

export function Part({ title, lead, aside, children }: PartProps) {
  return (
    <section>
      <Group justify="space-between" gap="xs" align="baseline">
        <Title order={3}>{title}</Title>
        {aside}
      </Group>
      {lead && (
        <Text size="xs" c="dimmed">
          {lead}
        </Text>
      )}
      <div style={{ marginBlockStart: 8 }}>{children}</div>
    </section>
  );
}
