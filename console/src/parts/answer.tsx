/** A query in its three states: asked, refused, answered. What was answered before stays while it is asked again. */
import { Skeleton, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorNotice } from "./error-notice";

export interface Asked<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => unknown;
}

export function Answer<Data>({ of, children }: { of: Asked<Data>; children: (data: Data) => ReactNode }) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <ErrorNotice error={of.error} retry={() => void of.refetch()} />;
  return <Waiting />;
}

export function Waiting({ rows = 5 }: { rows?: number }) {
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <Skeleton key={row} h={18} w={`${90 - ((row * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
