/** Export: everything of the user as a file, or the parts that are wanted. */
import { Button, Chip, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { ErrorNotice } from "../../parts/error-notice";
import { size } from "./figures";
import { exportFile, PARTS } from "./transfer";

const FORMATS = [
  { value: "json", label: "JSON" },
  { value: "markdown", label: "Markdown" },
];

export function Export() {
  const [format, setFormat] = useState("json");
  const [parts, setParts] = useState(PARTS);
  const [bytes, setBytes] = useState(0);
  const work = useMutation({
    mutationFn: () => {
      setBytes(0);
      return exportFile(format, parts, setBytes);
    },
  });
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        JSON can be imported again; Markdown is for people.
      </Text>
      <SegmentedControl aria-label="Format" size="xs" data={FORMATS} value={format} onChange={setFormat} />
      <Chip.Group multiple value={parts} onChange={setParts}>
        <Group gap={6} role="group" aria-label="What to export">
          {PARTS.map((part) => (
            <Chip key={part} value={part} size="xs" variant="light">
              {part}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Button
        size="xs"
        variant="default"
        leftSection={<Download size={14} aria-hidden />}
        loading={work.isPending}
        disabled={parts.length === 0}
        onClick={() => work.mutate()}
      >
        Export
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {work.isPending && (bytes ? `${size(bytes)} so far…` : "The service gathers it…")}
        {work.isSuccess && `${work.data}, ${size(bytes)}.`}
      </Text>
      {work.isError && <ErrorNotice error={work.error} retry={() => work.mutate()} />}
    </Stack>
  );
}
