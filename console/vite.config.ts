import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** The service that `npm run dev` asks: `recollect serve` as it starts without options, unless told otherwise. */
const SERVICE = process.env["RECOLLECT_URL"] ?? "http://127.0.0.1:8765";
const PATHS = ["/v1", "/memories", "/api", "/auth", "/health", "/ready", "/docs", "/openapi.json"];

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../src/recollect/server/console/static",
    emptyOutDir: true,
    target: "es2022",
    // The policy of the page allows fonts and scripts from the service alone, and no data addresses for them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // What pages share is one file and not twenty: each costs a request before the first row is seen.
        codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      PATHS.map((path) => [
        path,
        {
          target: SERVICE,
          changeOrigin: true,
          // Local mode refuses writes of pages of other origins, and this page has another port.
          headers: { origin: SERVICE },
        },
      ]),
    ),
  },
  test: {
    environment: "happy-dom",
    setupFiles: ["src/testing/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
  },
});
