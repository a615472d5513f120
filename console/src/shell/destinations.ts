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

export const DESTINATIONS: [Destination, ...Destination[]] = [
  {
    path: "/chats",
    name: "Chats",
    key: "c",
    icon: MessagesSquare,
    page: lazy(() => import("../pages/chats")),
  },
  {
    path: "/memories",
    name: "Memories",
    key: "m",
    icon: NotebookText,
    page: lazy(() => import("../pages/memories")),
  },
  {
    path: "/entities",
    name: "Entities",
    key: "e",
    icon: Network,
    page: lazy(() => import("../pages/entities")),
  },
  {
    path: "/timeline",
    name: "Timeline",
    key: "t",
    icon: Clock,
    page: lazy(() => import("../pages/timeline")),
  },
  { path: "/todos", name: "Todos", key: "o", icon: CheckSquare, page: lazy(() => import("../pages/todos")) },
  {
    path: "/playground",
    name: "Playground",
    key: "p",
    icon: Play,
    page: lazy(() => import("../pages/playground")),
  },
  { path: "/health", name: "Health", key: "h", icon: Activity, page: lazy(() => import("../pages/health")) },
];
