/** Whether the service can serve, and which one it is. */
import { Badge, Group, Text } from "@mantine/core";
import { $api } from "../../api/client";
import { sentence } from "../../api/errors";
import { useSession } from "../../session/session";

/** Milliseconds between two looks. */
const OFTEN = 15_000;

export function Readiness() {
  const session = useSession();
  const ready = $api.useQuery("get", "/ready", {}, { retry: false, refetchInterval: OFTEN });
  return (
    <Group gap="sm">
      {ready.isError ? (
        <Badge color="red" variant="light" role="alert">
          Not ready: {sentence(ready.error)}
        </Badge>
      ) : (
        <Badge color="teal.8" variant="dot" role="status">
          {ready.data ? "Ready" : "Asking…"}
        </Badge>
      )}
      <Text size="xs" c="dimmed">
        Recollect {session.version}
        {session.local ? ", local mode" : ""}
      </Text>
    </Group>
  );
}
