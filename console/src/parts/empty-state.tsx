/** Nothing there yet: what would be here, and how it comes about. */
import { Stack, Text, Title } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface EmptyStateProps {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      {Icon && <Icon size={28} strokeWidth={1.5} color="var(--recollect-quiet)" aria-hidden />}
      <Title order={2} size="h3">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" size="sm" maw="32rem" component="div">
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
