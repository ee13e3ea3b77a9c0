import { mount } from "svelte";
import "$art/palette.css";
import "./app.css";
import App from "./App.svelte";
import { registerWorker } from "./notifications/register-worker";
import { appendSprite } from "./ui/art/art";
import { followLinks } from "./state/router.svelte";
import { applySettings } from "./state/settings.svelte";
import { loadMe } from "./state/me.svelte";
import { loadLanguages } from "./i18n/translate.svelte";

applySettings();
appendSprite();
followLinks();
await loadLanguages();
mount(App, { target: document.getElementById("app")! });
afterwards(() => void loadMe());
afterwards(() => void registerWorker());

/** Run when the page is idle. */
function afterwards(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 3000 });
  else setTimeout(work, 1000);
}
