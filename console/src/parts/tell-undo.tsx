/** Something was done that can be taken back: a line at the edge of the screen with the way back on it. */
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";

/** Milliseconds: long enough to read it, to think again and to reach it by keyboard. */
const STAYS = 12_000;

export function tellUndo(message: ReactNode, undo: () => void, verb = "Undo"): void {
  const id = notifications.show({
    autoClose: STAYS,
    closeButtonProps: { "aria-label": "Close" },
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" style={{ overflowWrap: "anywhere" }} lineClamp={3}>
          {message}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          style={{ flexShrink: 0 }}
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {verb}
        </Button>
      </Group>
    ),
  });
}
