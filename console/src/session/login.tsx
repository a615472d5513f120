/** The way in: a token, and with a service key the user to act for. It says when a token is not accepted. */
import {
  Anchor,
  Button,
  Code,
  Paper,
  PasswordInput,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { api, take } from "../api/client";
import { ApiError, sentence } from "../api/errors";
import { enter } from "./credentials";
import classes from "./login.module.css";

export function Login({ serviceKey = "" }: { serviceKey?: string }) {
  return (
    <main className={classes.place}>
      <Paper className={classes.card} withBorder>
        <Title order={1} size="h3">
          Recollect
        </Title>
        {serviceKey ? <ChooseUser serviceKey={serviceKey} /> : <ShowToken />}
      </Paper>
    </main>
  );
}

function ShowToken() {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const [asking, setAsking] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setAsking(true);
    setProblem("");
    try {
      const shown = token.trim();
      await take(api.GET("/v1/whoami", { headers: { Authorization: `Bearer ${shown}` } }));
      enter({ token: shown, user: "" });
    } catch (error) {
      const wrong = error instanceof ApiError && error.status === 401;
      setProblem(wrong ? "This token is not valid: mistyped, expired or revoked." : sentence(error));
      setAsking(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack mt="xs">
        <Text c="dimmed" size="sm">
          Sign in with a session token, or with a service key. It is kept until this tab is closed.
        </Text>
        <PasswordInput
          label="Token"
          data-autofocus
          autoFocus
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={problem}
          errorProps={{ role: "alert" }}
        />
        <Button type="submit" loading={asking} disabled={!token.trim()}>
          Sign in
        </Button>
        <Text c="dimmed" size="xs">
          <Code>recollect token create --user NAME</Code> makes one. Without any service key, on this machine
          alone, no token is needed. <Anchor href="/docs">API reference</Anchor>
        </Text>
      </Stack>
    </form>
  );
}

function ChooseUser({ serviceKey }: { serviceKey: string }) {
  const [known, setKnown] = useState<string[]>([]);
  const [user, setUser] = useState("");

  useEffect(() => {
    // A key without the scope cannot list them; the name can be typed all the same.
    take(api.GET("/v1/users")).then(
      ({ users }) => setKnown(users),
      () => undefined,
    );
  }, []);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        enter({ token: serviceKey, user: user.trim() });
      }}
    >
      <Stack mt="xs">
        <Text c="dimmed" size="sm">
          This is a service key. Whose memory do you want to see?
        </Text>
        {known.length > 0 && (
          <Select
            label="Known users"
            searchable
            data={known}
            value={known.includes(user) ? user : null}
            onChange={(chosen) => setUser(chosen ?? "")}
          />
        )}
        <TextInput
          label="User"
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
          autoFocus
        />
        <Button type="submit" disabled={!user.trim()}>
          Open
        </Button>
      </Stack>
    </form>
  );
}
