// Runs before the first paint, so that a chosen dark page never flashes white. The console writes the choice.
(() => {
  let chosen = "auto";
  try {
    chosen = localStorage.getItem("recollect-scheme") || "auto";
  } catch {
    // Storage may be forbidden; the system's choice is good enough then.
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
