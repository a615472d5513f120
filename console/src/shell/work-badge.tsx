/** Whether work goes on behind, or failed; leads to Health. Nothing to see while there is none. */
import { Anchor, Group, Loader, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useWork } from "../parts/use-work";
import { to } from "../router";

export function WorkBadge() {
  const { running, dead } = useWork();
  if (!running && !dead) return null;
  return (
    <Anchor href={to("/health")} underline="never" c="inherit" px="sm" py={4} display="block">
      <Group gap={8} wrap="nowrap">
        {running ? <Loader size={12} aria-hidden /> : <TriangleAlert size={14} aria-hidden />}
        <Text size="xs" c="dimmed" role="status">
          {[running && `${running} at work`, dead && `${dead} failed`].filter(Boolean).join(", ")}
        </Text>
      </Group>
    </Anchor>
  );
}
