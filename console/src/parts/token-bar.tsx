/** Tokens of a budget as one stacked bar, with its parts named below it. */
import { Group, Progress, Text } from "@mantine/core";

export interface TokenPart {
  name: string;
  tokens: number;
}

/** Distinct in light and dark, and for most who see fewer colours; the names stand beside them anyway. */
const SHADES = ["ink.6", "teal.7", "grape.6", "orange.7", "cyan.7", "pink.6", "lime.8", "gray.6"];

export function shade(index: number): string {
  return SHADES[index % SHADES.length] ?? "gray.6";
}

export function TokenBar({ parts, budget }: { parts: TokenPart[]; budget: number }) {
  const used = parts.reduce((sum, part) => sum + part.tokens, 0);
  const whole = Math.max(budget, used, 1);
  return (
    <div>
      <Progress.Root size="lg" aria-label={`${used} of ${budget} tokens`} role="img">
        {parts.map((part, index) => (
          <Progress.Section
            key={part.name}
            value={(part.tokens / whole) * 100}
            color={shade(index)}
            withAria={false}
            title={`${part.name}: ${part.tokens} tokens`}
          />
        ))}
      </Progress.Root>
      <Group gap="sm" mt={6}>
        {parts.map((part, index) => (
          <Group key={part.name} gap={6} wrap="nowrap">
            <svg width="8" height="8" aria-hidden="true">
              <circle cx="4" cy="4" r="4" fill={`var(--mantine-color-${shade(index).replace(".", "-")})`} />
            </svg>
            <Text size="xs" c="dimmed">
              {part.name} {part.tokens.toLocaleString("en")}
            </Text>
          </Group>
        ))}
        <Text size="xs" ml="auto" fw={500}>
          {used.toLocaleString("en")} of {budget.toLocaleString("en")} tokens
        </Text>
      </Group>
    </div>
  );
}
