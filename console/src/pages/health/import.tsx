/** Import: a file is looked at before it is sent, and afterwards says what became of each entry. */
import { Alert, Button, FileButton, Group, Progress, Stack, Table, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import type { Shape } from "../../api/client";
import { named } from "../../parts/bidi";
import { ErrorNotice } from "../../parts/error-notice";
import { Name } from "../../parts/name";
import { UserText } from "../../parts/user-text";
import { WideTable } from "../../parts/wide-table";
import { size } from "./figures";
import { importFile, LARGEST, type Look, look } from "./transfer";

type State =
  | { step: "nothing" }
  | { step: "refused"; why: string }
  | { step: "chosen"; file: File; look: Look }
  | { step: "sending"; share: number }
  | { step: "done"; result: Shape<"LoadedShape"> }
  | { step: "failed"; file: File; look: Look; error: unknown };

/** Skipped entries that are listed. */
const LISTED = 100;

export function Import() {
  const [state, setState] = useState<State>({ step: "nothing" });
  const reset = useRef<() => void>(null);
  const cache = useQueryClient();

  async function choose(file: File | null) {
    // The same file may be chosen again.
    reset.current?.();
    if (!file) return;
    if (file.size > LARGEST) {
      const limit = `${named(file.name)} has ${size(file.size)}, and the service takes ${size(LARGEST)} at once.`;
      return setState({
        step: "refused",
        why: `${limit} On its machine, "recollect import FILE" has no limit.`,
      });
    }
    const found = look(await file.text());
    if (found) return setState({ step: "chosen", file, look: found });
    setState({
      step: "refused",
      why: `${named(file.name)} holds no JSON. Of an archive choose conversations.json; Markdown is for people only.`,
    });
  }

  async function send(file: File, found: Look) {
    setState({ step: "sending", share: 0 });
    try {
      const result = await importFile(file, found.type, (share) => setState({ step: "sending", share }));
      setState({ step: "done", result });
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== "/v1/whoami" });
    } catch (error) {
      setState({ step: "failed", file, look: found, error });
    }
  }

  const cancel = () => setState({ step: "nothing" });
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        Reads an export of Recollect, ChatGPT, Claude or mem0, or JSON lines. Twice is the same as once: what
        is known already stays as it is.
      </Text>
      {state.step !== "sending" && (
        <FileButton
          resetRef={reset}
          accept=".json,.jsonl,.ndjson,application/json"
          onChange={(file) => void choose(file)}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<Upload size={14} aria-hidden />}>
              Choose a file…
            </Button>
          )}
        </FileButton>
      )}
      {state.step === "refused" && (
        <Alert color="red" role="alert" title="Can't read this file">
          <UserText>{state.why}</UserText>
        </Alert>
      )}
      {state.step === "chosen" && (
        <>
          <Text size="sm">
            <Name most={120}>{state.file.name}</Name>: {told(state.look)}
          </Text>
          <Group gap="xs">
            <Button size="xs" autoFocus onClick={() => void send(state.file, state.look)}>
              Import
            </Button>
            <Button size="xs" variant="default" onClick={cancel}>
              Cancel
            </Button>
          </Group>
        </>
      )}
      {state.step === "sending" && <Sending share={state.share} />}
      {state.step === "done" && <Loaded result={state.result} />}
      {state.step === "failed" && (
        <ErrorNotice error={state.error} retry={() => void send(state.file, state.look)} />
      )}
    </Stack>
  );
}

/** What a file holds, in words. */
function told({ parts }: Look): string {
  if (!parts) return "not from Recollect; the service finds out whose it is";
  const counts = parts.map(([part, count]) => `${count.toLocaleString("en")} ${part}`);
  return counts.join(", ") || "nothing but a seed";
}

function Sending({ share }: { share: number }) {
  const there = share >= 1;
  return (
    <div role="status">
      <Text size="sm" mb={6}>
        {there ? "The service reads it…" : `Sending, ${Math.round(share * 100)} %`}
      </Text>
      <Progress
        w={240}
        value={there ? 100 : share * 100}
        animated={there}
        aria-label="Progress of the import"
      />
    </div>
  );
}

function Loaded({ result }: { result: Shape<"LoadedShape"> }) {
  const { imported, duplicates, skipped } = result;
  return (
    <div role="status">
      <Text size="sm">
        Imported {imported.toLocaleString("en")}, known already {duplicates.toLocaleString("en")}, skipped{" "}
        {skipped.length.toLocaleString("en")}.
      </Text>
      {skipped.length > 0 && (
        <WideTable label="Skipped entries" minWidth={280} mt="xs" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={80}>Entry</Table.Th>
              <Table.Th>Why</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {skipped.slice(0, LISTED).map(({ line, reason }) => (
              <Table.Tr key={`${line} ${reason}`}>
                <Table.Td>{line}</Table.Td>
                <Table.Td>
                  <UserText lines={4}>{reason}</UserText>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
      )}
      {skipped.length > LISTED && (
        <Text size="xs" c="dimmed">
          And {(skipped.length - LISTED).toLocaleString("en")} more.
        </Text>
      )}
    </div>
  );
}
