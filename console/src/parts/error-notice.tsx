/** Error and what to do about it, where the content would have been. */
import { Alert, Button, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { advice, sentence } from "../api/errors";

export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert role="alert" color="red" icon={<TriangleAlert size={18} aria-hidden />} title={sentence(error)}>
      {advice(error) && <Text size="sm">{advice(error)}</Text>}
      {retry && (
        <Button mt="sm" size="xs" variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
