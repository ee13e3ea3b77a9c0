import { mount } from "svelte";
import "$art/palette.css";
import "./app.css";
import App from "./App.svelte";
import { keepWorker } from "./company/worker";
import { hangSprite } from "./lib/art";
import { followLinks } from "./lib/router.svelte";
import { keepSettings } from "./lib/settings.svelte";
import { learnWho } from "./lib/who.svelte";
import { learnLanguages } from "./lib/words.svelte";

keepSettings();
hangSprite();
followLinks();
await learnLanguages();
mount(App, { target: document.getElementById("app")! });
afterwards(() => void learnWho());
afterwards(() => void keepWorker());

/** When all else is there. */
function afterwards(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 3000 });
  else setTimeout(work, 1000);
}
