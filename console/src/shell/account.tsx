/** Whose memory is shown, and the ways to another one: in local mode and with a service key any user's. */
import { Button, Menu, Select, Text } from "@mantine/core";
import { ChevronsUpDown, LogOut } from "lucide-react";
import { $api } from "../api/client";
import { Name } from "../parts/name";
import { useSession } from "../session/session";

export function Account() {
  const session = useSession();
  const users = $api.useQuery("get", "/v1/users", {}, { enabled: session.operates });
  const known = users.data?.users ?? [];
  return (
    <Menu position="bottom-start" withinPortal width={240}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          justify="space-between"
          title={session.local ? "Local mode: no login" : undefined}
          rightSection={<ChevronsUpDown size={14} aria-hidden />}
          styles={{ label: { overflow: "hidden", textOverflow: "ellipsis", maxWidth: "10rem" } }}
        >
          <Text span inherit c="dimmed">
            Memory of
          </Text>{" "}
          <Name>{session.user}</Name>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {session.operates && (
          <Select
            label="Show the memory of"
            p="xs"
            searchable
            comboboxProps={{ withinPortal: false }}
            data={known.includes(session.user) ? known : [session.user, ...known]}
            value={session.user}
            onChange={(chosen) => chosen && session.become(chosen)}
          />
        )}
        {!session.local && (
          <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={session.leave}>
            Sign out
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
