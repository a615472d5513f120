import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@fontsource-variable/inter/wght.css";
import "./styles.css";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { Entered, prepare } from "./session/session";
import { askAhead } from "./shell/destinations";
import { theme } from "./theme";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no place for the console.");

/** The styles that are written at run time must carry the nonce of this page (see the service's policy). */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="recollect-nonce"]')?.content ?? "";
// Dialogs hold the page still with a style of their own, by a library that asks here.
setNonce(nonce);

/** Milliseconds after which something is shown, also when the service has not answered yet. */
const PATIENCE = 200;

function show(root: HTMLElement) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={localStorageColorSchemeManager({ key: "recollect-scheme" })}
        getStyleNonce={() => nonce}
      >
        <Notifications position="bottom-right" limit={4} />
        <Entered>
          <App />
        </Entered>
      </MantineProvider>
    </StrictMode>,
  );
}

const patience = new Promise<void>((done) => {
  setTimeout(done, PATIENCE);
});
void Promise.race([prepare(askAhead), patience]).then(() => show(root));
