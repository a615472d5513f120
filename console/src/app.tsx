/** The shell: the way around, and the page that the address names. Pages are loaded when they are first opened. */
import { ActionIcon, Anchor, AppShell, Burger, Group, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { BookOpen, Keyboard, MapPinOff } from "lucide-react";
import { Suspense, useEffect, useRef } from "react";
import classes from "./app.module.css";
import { Waiting } from "./parts/answer";
import { Boundary } from "./parts/boundary";
import { Confirming } from "./parts/confirm";
import { EmptyState } from "./parts/empty-state";
import { go, to, usePath } from "./router";
import { useSession } from "./session/session";
import { Account } from "./shell/account";
import { DESTINATIONS } from "./shell/destinations";
import { SchemeToggle } from "./shell/scheme-toggle";
import { Shortcuts } from "./shell/shortcuts";
import { WorkBadge } from "./shell/work-badge";

export function App() {
  const path = usePath();
  const [opened, { toggle, close }] = useDisclosure();
  const main = useRef<HTMLElement>(null);
  const here = DESTINATIONS.find((destination) => destination.path === path);

  useEffect(() => {
    if (path === "/") go(to(DESTINATIONS[0].path), { replace: true });
  }, [path]);

  return (
    <Confirming>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <AppShell
        header={{ height: { base: 52, sm: 0 } }}
        navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: !opened } }}
      >
        <AppShell.Header hiddenFrom="sm" px="sm">
          <Group h="100%" gap="xs">
            <Burger
              opened={opened}
              onClick={toggle}
              size="sm"
              aria-label={opened ? "Close the menu" : "Open the menu"}
            />
            <Text fw={600} flex={1}>
              {here?.name ?? "Recollect"}
            </Text>
            <Account />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar className={classes.navbar}>
          <Navigation path={path} onGo={close} />
        </AppShell.Navbar>
        <AppShell.Main ref={main} tabIndex={-1} className={classes.main}>
          {here ? (
            <Boundary key={here.path}>
              <Suspense fallback={<PageWaiting />}>
                <here.page />
              </Suspense>
            </Boundary>
          ) : (
            path !== "/" && <NoSuchPage />
          )}
        </AppShell.Main>
      </AppShell>
      <Shortcuts />
    </Confirming>
  );
}

function NoSuchPage() {
  return (
    <div className={classes.waiting}>
      <EmptyState
        icon={MapPinOff}
        title="Page not found"
        action={<Anchor href={to(DESTINATIONS[0].path)}>Go to chats</Anchor>}
      >
        This address leads to no page.
      </EmptyState>
    </div>
  );
}

function PageWaiting() {
  return (
    <div className={classes.waiting}>
      <Waiting />
    </div>
  );
}

function Navigation({ path, onGo }: { path: string; onGo: () => void }) {
  const session = useSession();
  return (
    <>
      <div className={classes.head}>
        <Text className={classes.name}>Recollect</Text>
        <Account />
      </div>
      <ScrollArea flex={1}>
        <nav aria-label="Pages" className={classes.links}>
          {DESTINATIONS.map(({ path: there, name, icon: Icon, key }) => (
            <a
              key={there}
              href={to(there)}
              className={classes.link}
              aria-current={there === path ? "page" : undefined}
              aria-keyshortcuts={`g ${key}`}
              onClick={onGo}
            >
              <Icon size={17} strokeWidth={1.75} aria-hidden />
              {name}
            </a>
          ))}
        </nav>
      </ScrollArea>
      <WorkBadge />
      <Group gap={2} justify="space-between" px={4}>
        <Group gap={2}>
          <SchemeToggle />
          <ActionIcon
            size="lg"
            aria-label="Keys"
            title="Keys (?)"
            onClick={() => window.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }))}
          >
            <Keyboard size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon component="a" href="/docs" size="lg" aria-label="API reference" title="API reference">
            <BookOpen size={18} aria-hidden />
          </ActionIcon>
        </Group>
        <Text size="xs" c="dimmed" pr={8}>
          {session.version}
        </Text>
      </Group>
    </>
  );
}
