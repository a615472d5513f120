/** What stands above a thread: its title, and behind buttons the brief and the pins. */

import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { ArrowLeft, ChevronsDownUp, ChevronsUpDown, ScanText } from "lucide-react";
import type { Shape } from "../../../api/client";
import { many } from "../../../parts/many";
import { Name } from "../../../parts/name";
import { ChatTitle } from "./chat-title";
import classes from "./thread.module.css";
import { BriefAndPins } from "./thread-top";

interface ThreadHeadProps {
  chat: Shape<"ChatShape">;
  pins: Shape<"PinShape">[];
  /** Every band of the thread, and those that are open. */
  bands: string[];
  open: ReadonlySet<string>;
  onOpen: (open: ReadonlySet<string>) => void;
  onUnpin: ((pin: Shape<"PinShape">) => void) | null;
  onBack: (() => void) | null;
  onInspect: (() => void) | null;
}

export function ThreadHead(props: ThreadHeadProps) {
  const { chat, pins, bands, open, onOpen, onBack, onInspect } = props;
  const all = bands.every((band) => open.has(band));
  const Turn = all ? ChevronsDownUp : ChevronsUpDown;
  return (
    <header className={classes.head}>
      <Group gap={6} wrap="nowrap" align="flex-start">
        {onBack && (
          <ActionIcon size="md" aria-label="Back to the list" onClick={onBack}>
            <ArrowLeft size={17} aria-hidden />
          </ActionIcon>
        )}
        <div className={classes.headTitle}>
          <ChatTitle chat={chat} />
          <Text size="xs" c="dimmed">
            {many(chat.message_count, "message")}
            {chat.persona_id && (
              <>
                {" · "}
                <Name>{chat.persona_id}</Name>
              </>
            )}
          </Text>
        </div>
      </Group>
      <BriefAndPins
        chat={chat.chat_id}
        pins={pins}
        onUnpin={props.onUnpin}
        beside={
          <>
            {" "}
            {bands.length > 0 && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                className={classes.unfold}
                leftSection={<Turn size={15} aria-hidden />}
                onClick={() => onOpen(new Set(all ? [] : bands))}
              >
                {all ? "Fold all" : "Open all"}
              </Button>
            )}
            {onInspect && (
              <Button
                size="compact-sm"
                variant="light"
                className={classes.unfold}
                leftSection={<ScanText size={15} aria-hidden />}
                onClick={onInspect}
              >
                Context
              </Button>
            )}
          </>
        }
      />
    </header>
  );
}
