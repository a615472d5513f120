/** The seven pages: where they are, what they are called, and the key that leads to each after `g`. */
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

export interface Destination {
  path: string;
  name: string;
  key: string;
  icon: LucideIcon;
  page: LazyExoticComponent<ComponentType>;
}

/**
 * A page is loaded when it is first opened. The one that the address names is wanted before anybody knows who is there: it
 * comes while the service is asked.
 */
function loaded(path: string, load: () => Promise<{ default: ComponentType }>) {
  const [wanted = ""] = window.location.hash.slice(1).split("?");
  // What fails here fails again, and is told, when the page is shown.
  if (wanted === path || (path === FIRST && wanted.length < 2)) load().catch(() => undefined);
  return { path, page: lazy(load) };
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
