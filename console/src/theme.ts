/** How the console looks: quiet, typographic, one accent. Colours are checked for contrast by the browser tests (axe). */
import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Ink blue: links, the chosen page, the one primary button of a view. Nothing else has a colour without a meaning. */
const ink: MantineColorsTuple = [
  "#eef2ff",
  "#dbe3fb",
  "#b6c5f3",
  "#8ea5eb",
  "#6d8ae4",
  "#5878df",
  "#4263d6",
  "#3552b8",
  "#2d489f",
  "#243b85",
];

export const theme = createTheme({
  colors: { ink },
  primaryColor: "ink",
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: "md",
  respectReducedMotion: true,
  cursorType: "pointer",
  fontFamily: '"Inter Variable", ui-sans-serif, system-ui, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8438rem", md: "0.9375rem", lg: "1.0625rem", xl: "1.25rem" },
  headings: {
    fontWeight: "600",
    sizes: { h1: { fontSize: "1.5rem" }, h2: { fontSize: "1.125rem" }, h3: { fontSize: "0.9688rem" } },
  },
  components: {
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Anchor: { defaultProps: { underline: "always" } },
    Badge: { defaultProps: { variant: "light", size: "sm", radius: "sm", tt: "none" } },
    Button: { defaultProps: { size: "sm" } },
    Tooltip: { defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } } },
    Modal: { defaultProps: { centered: true } },
  },
});
