/** Who is signed in, and the ways to be somebody else. */
import { Button, Menu, Select, Text } from "@mantine/core";
import { ChevronsUpDown, LogOut } from "lucide-react";
import { $api } from "../api/client";
import { Name } from "../parts/name";
import { useSession } from "../session/session";

export function Account() {
  const session = useSession();
  const users = $api.useQuery("get", "/v1/users", {}, { enabled: session.operates && !session.local });
  if (session.local) {
    return (
      <Text size="xs" c="dimmed" px="sm" py={6}>
        Local mode
      </Text>
    );
  }
  return (
    <Menu position="top-start" withinPortal width={240}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          rightSection={<ChevronsUpDown size={14} aria-hidden />}
          styles={{ label: { overflow: "hidden", textOverflow: "ellipsis", maxWidth: "9rem" } }}
        >
          <Name>{session.user}</Name>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {session.operates && (
          <Select
            label="See the memory of"
            p="xs"
            searchable
            comboboxProps={{ withinPortal: false }}
            data={users.data?.users ?? [session.user]}
            value={session.user}
            onChange={(chosen) => chosen && session.become(chosen)}
          />
        )}
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={session.leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
