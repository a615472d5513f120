/** Ids, keys, numbers of tokens: what is compared rather than read. */
import { Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";

export function Mono({ children, ...props }: TextProps & { children: ReactNode }) {
  return (
    <Text
      component="span"
      ff="monospace"
      size="xs"
      style={{ overflowWrap: "anywhere", unicodeBidi: "isolate" }}
      {...props}
    >
      {children}
    </Text>
  );
}
