/** Asking before something that cannot be undone: `if (await confirm({ title, body, verb: "Forget" })) …`. */
import { Button, Group, Modal, Text } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";

export interface Question {
  title: string;
  /** What will happen, exactly: what goes, and what goes with it. */
  body: ReactNode;
  /** What the button says: the act, never "OK". */
  verb: string;
  /** It can be undone; the button is not red. */
  harmless?: boolean;
}

const Asking = createContext<(question: Question) => Promise<boolean>>(async () => false);

export function useConfirm(): (question: Question) => Promise<boolean> {
  return useContext(Asking);
}

export function Confirming({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [open, setOpen] = useState(false);
  const answer = useRef<(yes: boolean) => void>(() => undefined);

  const ask = useCallback((asked: Question) => {
    answer.current(false);
    setQuestion(asked);
    setOpen(true);
    return new Promise<boolean>((resolve) => {
      answer.current = resolve;
    });
  }, []);

  function reply(yes: boolean) {
    setOpen(false);
    answer.current(yes);
  }

  return (
    <Asking value={ask}>
      {children}
      <Modal
        opened={open}
        onClose={() => reply(false)}
        title={<Text fw={600}>{question?.title}</Text>}
        closeButtonProps={{ "aria-label": "Cancel" }}
      >
        <Text size="sm" component="div">
          {question?.body}
        </Text>
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" data-autofocus onClick={() => reply(false)}>
            Cancel
          </Button>
          <Button {...(question?.harmless ? {} : { color: "red.8" })} onClick={() => reply(true)}>
            {question?.verb}
          </Button>
        </Group>
      </Modal>
    </Asking>
  );
}
