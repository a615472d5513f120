/** The seven pages: where they are, what they are called, and the key that leads to each after `g`. */
import type { QueryClient } from "@tanstack/react-query";
import {
  Activity,
  CheckSquare,
  Clock,
  type LucideIcon,
  MessagesSquare,
  Network,
  NotebookText,
  Play,
} from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { path as here } from "../router";

export interface Destination {
  path: string;
  name: string;
  key: string;
  icon: LucideIcon;
  page: LazyExoticComponent<ComponentType>;
}

interface Loaded {
  default: ComponentType;
  /** Asks for what is shown first. */
  ahead?: (cache: QueryClient) => Promise<void>;
}

/** The page that the address names when the console is opened. */
let wanted: Promise<Loaded> | undefined;

/**
 * A page is loaded when it is first opened. The one that the address names is wanted before anybody knows who is there: it
 * comes while the service is asked, and is then shown without waiting. (React keeps what it shows while a page is awaited
 * for 0.3 s at least, be the page there or not; so a page that is there must not be awaited.)
 */
function loaded(path: string, load: () => Promise<Loaded>) {
  let there: Loaded | undefined;
  if (here() === path || (path === FIRST && here() === "/")) {
    wanted = load();
    wanted.then(
      (found) => {
        there = found;
      },
      // What fails here fails again, and is told, when the page is shown.
      () => undefined,
    );
  }
  return { path, page: lazy(() => (there ? atOnce(there) : load())) };
}

/** Load the first page and let it ask for what it will show; what fails is told when it is shown. */
export async function askAhead(cache: QueryClient): Promise<void> {
  await wanted?.then((page) => page.ahead?.(cache)).catch(() => undefined);
}

/** A promise that calls back at once, as React allows it to. */
function atOnce(found: Loaded): Promise<Loaded> {
  // biome-ignore lint/suspicious/noThenProperty: being awaited is what it is for
  return { then: (tell: (found: Loaded) => void) => tell(found) } as unknown as Promise<Loaded>;
}

const FIRST = "/chats";

export const DESTINATIONS: [Destination, ...Destination[]] = [
  {
    ...loaded(FIRST, () => import("../pages/chats")),
    name: "Chats",
    key: "c",
    icon: MessagesSquare,
  },
  {
    ...loaded("/memories", () => import("../pages/memories")),
    name: "Memories",
    key: "m",
    icon: NotebookText,
  },
  {
    ...loaded("/entities", () => import("../pages/entities")),
    name: "Entities",
    key: "e",
    icon: Network,
  },
  {
    ...loaded("/timeline", () => import("../pages/timeline")),
    name: "Timeline",
    key: "t",
    icon: Clock,
  },
  { ...loaded("/todos", () => import("../pages/todos")), name: "Todos", key: "o", icon: CheckSquare },
  {
    ...loaded("/playground", () => import("../pages/playground")),
    name: "Playground",
    key: "p",
    icon: Play,
  },
  { ...loaded("/health", () => import("../pages/health")), name: "Health", key: "h", icon: Activity },
];
