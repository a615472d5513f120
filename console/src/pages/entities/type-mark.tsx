/** The type of an entity as a small sign. It has the word too, for whoever does not see signs. */
import { Building2, FolderKanban, type LucideIcon, MapPin, Shapes, UserRound } from "lucide-react";
import classes from "./entities.module.css";

const SIGNS: Record<string, LucideIcon> = {
  person: UserRound,
  org: Building2,
  place: MapPin,
  project: FolderKanban,
};

export function TypeMark({ type, size = 16 }: { type: string; size?: number }) {
  const Sign = SIGNS[type] ?? Shapes;
  return (
    <span className={classes.mark} data-type={type} title={type}>
      <Sign size={size} strokeWidth={1.75} role="img" aria-label={type} />
    </span>
  );
}
