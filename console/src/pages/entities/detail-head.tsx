/** The head of an entity: who it is, and what can be done with it as a whole. */
import { ActionIcon, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Eraser, Merge, X } from "lucide-react";
import type { Shape } from "../../api/client";
import { cut, named } from "../../parts/bidi";
import { useConfirm } from "../../parts/confirm";
import { Mono } from "../../parts/mono";
import { tellDone } from "../../parts/notify";
import { RelativeTime } from "../../parts/relative-time";
import { UserText } from "../../parts/user-text";
import { useSession } from "../../session/session";
import { after, useForget } from "./changes";
import classes from "./entities.module.css";
import { MergeDialog } from "./merge-dialog";
import { counted } from "./names";
import { losses, receipt } from "./told";
import { TypeMark } from "./type-mark";

type Details = Shape<"DetailsShape">;

export function Head({ entity, onChoose }: { entity: Details; onChoose: (key: string) => void }) {
  const { writes } = useSession();
  const [merging, { open, close }] = useDisclosure();
  const confirm = useConfirm();
  const forget = useForget();

  async function onForget() {
    const body = (
      <Stack gap="xs">
        {losses(entity).map((sentence) => (
          <UserText key={sentence}>{sentence}</UserText>
        ))}
        <Text size="sm" c="dimmed">
          The messages stay as they were said; delete those in their chat. This cannot be undone.
        </Text>
      </Stack>
    );
    if (!(await confirm({ title: `Forget ${named(entity.label)}?`, body, verb: "Forget" }))) return;
    after(forget.mutateAsync(entity.key), (done) => {
      tellDone(receipt(done.receipt));
      onChoose("");
    });
  }

  return (
    <header>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Group gap={10} wrap="nowrap" align="baseline">
          <TypeMark type={entity.type} size={18} />
          <Title order={2}>
            <UserText shown={200}>{entity.label}</UserText>
          </Title>
        </Group>
        <ActionIcon aria-label="Close" title="Close (Esc)" onClick={() => onChoose("")}>
          <X size={18} aria-hidden />
        </ActionIcon>
      </Group>
      <Group gap="xs" mt={4} className={classes.quiet}>
        <Mono>{cut(entity.key, 120)}</Mono>
        <span>{counted(entity.fact_count, "fact")}</span>
        <span>
          last mentioned <RelativeTime at={entity.last_mentioned} />
        </span>
      </Group>
      {writes && (
        <Group gap="xs" mt="sm">
          <Button size="xs" variant="default" leftSection={<Merge size={14} aria-hidden />} onClick={open}>
            Merge…
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<Eraser size={14} aria-hidden />}
            loading={forget.isPending}
            onClick={() => void onForget()}
          >
            Forget…
          </Button>
        </Group>
      )}
      <MergeDialog entity={entity} opened={merging} onClose={close} onMerged={onChoose} />
    </header>
  );
}
