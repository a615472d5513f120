/** What a run of the curator does or did: the memories themselves, each with why. */
import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Name } from "../../../parts/name";
import { UserText } from "../../../parts/user-text";
import { nameOf } from "../consequences";
import classes from "../memories.module.css";
import type { Curation } from "../memory";
import { Saying } from "./decision";

/** Memories of each kind that are shown. */
const SHOWN = 20;

export function Run({ run }: { run: Curation }) {
  return (
    <Stack gap="sm">
      {run.folds.slice(0, SHOWN).map((fold) => (
        <div key={fold.from.map((item) => item.memory_id).join()} className={classes.sides}>
          <Boxed title={`${fold.from.length} that say the same`} reason={fold.reason}>
            {fold.from.map((item) => (
              <Saying key={item.memory_id} memory={item} />
            ))}
          </Boxed>
          <Boxed title="become one">
            <Saying memory={fold.into} />
          </Boxed>
        </div>
      ))}
      {run.archived.slice(0, SHOWN).map((item) => (
        <Boxed key={item.memory_id} title="Archived" reason={item.reason}>
          <Saying memory={item} />
        </Boxed>
      ))}
      {run.raised.slice(0, SHOWN).map((item) => (
        <Boxed key={item.memory_id} title="More important" reason={item.reason}>
          <Saying memory={item} />
        </Boxed>
      ))}
      {run.merged.slice(0, SHOWN).map((pair) => (
        <Text key={pair.from} size="sm">
          <Name>{nameOf(pair.from)}</Name> is <Name>{nameOf(pair.into)}</Name>
        </Text>
      ))}
    </Stack>
  );
}

function Boxed({ title, reason, children }: { title: string; reason?: string; children: ReactNode }) {
  return (
    <div className={classes.side}>
      <Text size="xs" c="dimmed" component="div">
        {title}
        {reason && ": "}
        {reason && <UserText shown={300}>{reason}</UserText>}
      </Text>
      {children}
    </div>
  );
}
