/** The brief of a chat and its pins, closed until somebody wants to read them. */

import { ActionIcon, Group, Text, UnstyledButton } from "@mantine/core";
import { ChevronDown, ChevronRight, PinOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { $api, type Shape } from "../../../api/client";
import { many } from "../../../parts/many";
import { Name } from "../../../parts/name";
import { exactly } from "../../../parts/relative-time";
import { UserText } from "../../../parts/user-text";
import { VirtualList } from "../../../parts/virtual-list";
import { setParams } from "../../../router";
import { oneLine } from "./rows";
import classes from "./thread.module.css";

type Pin = Shape<"PinShape">;

interface BriefAndPinsProps {
  chat: string;
  pins: Pin[];
  onUnpin: ((pin: Pin) => void) | null;
  /** What else stands in the row of buttons. */
  beside: ReactNode;
}

export function BriefAndPins({ chat, pins, onUnpin, beside }: BriefAndPinsProps) {
  const [open, setOpen] = useState<"brief" | "pins" | null>(null);
  const { data: brief } = $api.useQuery("get", "/v1/chats/{chat_id}/brief", {
    params: { path: { chat_id: chat } },
  });
  const turn = (name: "brief" | "pins") => setOpen(open === name ? null : name);
  return (
    <>
      <Group gap="md" mt={6} wrap="nowrap">
        <Turn open={open === "brief"} onClick={() => turn("brief")}>
          Brief
        </Turn>
        <Turn open={open === "pins"} onClick={() => turn("pins")}>
          {many(pins.length, "pin")}
        </Turn>
        <Group gap={4} ml="auto" wrap="nowrap">
          {beside}
        </Group>
      </Group>
      {open === null && brief?.global_summary && (
        <Text size="sm" c="dimmed" component="div" mt={4}>
          <UserText lines={2}>{oneLine(brief.global_summary)}</UserText>
        </Text>
      )}
      {open === "brief" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section className={classes.top} aria-label="Brief" tabIndex={0}>
          <Text size="sm" component="div">
            <UserText>{brief?.global_summary || NO_BRIEF}</UserText>
          </Text>
          {brief?.updated_at && (
            <Text size="xs" c="dimmed" mt={6}>
              {brief.tokens.toLocaleString("en")} tokens, revision {brief.revision},{" "}
              {exactly(brief.updated_at)}, written by <Name>{brief.written_by}</Name>
            </Text>
          )}
        </section>
      )}
      {open === "pins" &&
        (pins.length ? (
          <div className={classes.top} style={{ blockSize: `min(${pins.length * PIN + 16}px, 15rem)` }}>
            <Pins pins={pins} onUnpin={onUnpin} />
          </div>
        ) : (
          <Text size="sm" c="dimmed" mt={6}>
            Nothing is pinned. The model always sees a pin: choose Pin at a message.
          </Text>
        ))}
    </>
  );
}

/** Pixels of a pin of two lines. */
const PIN = 64;
const NO_BRIEF = "No summary yet: the chat is short enough to be sent as it is.";

function Turn({ open, onClick, children }: { open: boolean; onClick: () => void; children: ReactNode }) {
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <UnstyledButton className={classes.turn} aria-expanded={open} onClick={onClick}>
      <Icon size={14} aria-hidden />
      {children}
    </UnstyledButton>
  );
}

function Pins({ pins, onUnpin }: { pins: Pin[]; onUnpin: ((pin: Pin) => void) | null }) {
  return (
    <VirtualList label="Pins" items={pins} keyOf={(pin) => pin.id} estimate={PIN}>
      {(pin) => (
        <div className={classes.pin}>
          <Text size="sm" component="div" flex={1} miw={0}>
            <UserText lines={3}>{pin.content}</UserText>
            <Text size="xs" c="dimmed" component="span">
              {pin.derived ? "by a rule" : pin.pin_type}, importance {pin.importance_score}
            </Text>
          </Text>
          {pin.source_message_id && (
            <UnstyledButton
              className={classes.turn}
              onClick={() => setParams({ message: pin.source_message_id ?? "" }, { replace: false })}
            >
              message
            </UnstyledButton>
          )}
          {onUnpin && (
            <ActionIcon size="sm" aria-label="Unpin" onClick={() => onUnpin(pin)}>
              <PinOff size={14} aria-hidden />
            </ActionIcon>
          )}
        </div>
      )}
    </VirtualList>
  );
}
