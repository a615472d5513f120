/** Versions of a text over time: a list of them, and the chosen one beside the one before it or beside any other. */
import { Group, Select, Text, Title } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { Name } from "../../parts/name";
import { exactly } from "../../parts/relative-time";
import { VirtualList } from "../../parts/virtual-list";
import { setParams, useParam } from "../../router";
import { sideBySide, tally } from "./diff";
import { type Section, SideBySide } from "./side-by-side";
import classes from "./timeline.module.css";

export interface Version {
  /** Its number, from 1. */
  number: number;
  at: string | null;
  /** Which summariser wrote it. */
  by: string;
  sections: Section[];
  /** What else is to be said about it. */
  note?: ReactNode;
}

/** `versions`: at least one, oldest first. */
export function Versions({ label, versions }: { label: string; versions: Version[] }) {
  const [wanted, choose] = useParam("version");
  const [against] = useParam("against");
  const newestFirst = useMemo(() => [...versions].reverse(), [versions]);
  const find = (number: string) => versions.find((version) => String(version.number) === number);
  const chosen = find(wanted) ?? newestFirst[0];
  if (!chosen) return null;
  const previous = versions[versions.indexOf(chosen) - 1];
  const other = (against && find(against)) || previous;
  return (
    <div className={classes.panes}>
      <div className={classes.list}>
        <VirtualList
          label={label}
          items={newestFirst}
          keyOf={(version) => String(version.number)}
          estimate={54}
          chosen={String(chosen.number)}
          onChoose={(version) => {
            setParams({ against: "" });
            choose(String(version.number), { push: true });
          }}
        >
          {(version) => <VersionRow version={version} before={versions[versions.indexOf(version) - 1]} />}
        </VirtualList>
      </div>
      <section className={classes.detail} aria-label={`Version ${chosen.number}`}>
        <Group justify="space-between" align="flex-end" gap="sm" mb="sm">
          <div>
            <Title order={2}>Version {chosen.number}</Title>
            <Text size="xs" c="dimmed">
              {chosen.at && exactly(chosen.at)}
              {chosen.by && (
                <>
                  {" · written by "}
                  <Name most={80}>{chosen.by}</Name>
                </>
              )}
            </Text>
            {chosen.note}
          </div>
          {versions.length > 1 && (
            <Select
              size="xs"
              w={230}
              label="Compared with"
              allowDeselect={false}
              placeholder="nothing before it"
              value={other ? String(other.number) : null}
              onChange={(next) =>
                setParams({ against: next && next !== String(previous?.number) ? next : "" })
              }
              data={newestFirst
                .filter((version) => version !== chosen)
                .map(({ number, at }) => ({
                  value: String(number),
                  label: `Version ${number}${at ? `, ${exactly(at)}` : ""}`,
                }))}
            />
          )}
        </Group>
        <div className={`${classes.line} ${classes.heads} ${classes.wideOnly}`} aria-hidden>
          <Text size="xs" c="dimmed">
            {other ? `Version ${other.number}` : "Nothing before it"}
          </Text>
          <Text size="xs" c="dimmed">
            Version {chosen.number}
          </Text>
        </div>
        <SideBySide
          key={`${chosen.number} ${other?.number}`}
          before={other?.sections ?? null}
          after={chosen.sections}
        />
      </section>
    </div>
  );
}

function VersionRow({ version, before }: { version: Version; before: Version | undefined }) {
  const { come, gone, changed } = useMemo(() => {
    const text = (of: Version | undefined) => of?.sections.map((section) => section.text).join("\n") ?? "";
    return tally(sideBySide(text(before), text(version)));
  }, [version, before]);
  return (
    <div className={classes.row}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <span>Version {version.number}</span>
        <span className={classes.quiet}>
          {[come && `${come} new`, changed && `${changed} changed`, gone && `${gone} gone`]
            .filter(Boolean)
            .join(", ") || "the same"}
        </span>
      </Group>
      <span className={classes.quiet}>{version.at && exactly(version.at)}</span>
    </div>
  );
}
