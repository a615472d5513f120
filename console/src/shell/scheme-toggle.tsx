/** Light, dark, or as the system has it. */
import { ActionIcon, type MantineColorScheme, Tooltip, useMantineColorScheme } from "@mantine/core";
import { Moon, Sun, SunMoon } from "lucide-react";

const NEXT: Record<MantineColorScheme, MantineColorScheme> = { auto: "light", light: "dark", dark: "auto" };
const NAMES: Record<MantineColorScheme, string> = { auto: "as the system", light: "light", dark: "dark" };
const ICONS = { auto: SunMoon, light: Sun, dark: Moon };

export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = ICONS[colorScheme];
  const label = `Colours: ${NAMES[colorScheme]}. Change to ${NAMES[NEXT[colorScheme]]}`;
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} size="lg" onClick={() => setColorScheme(NEXT[colorScheme])}>
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
