import { mount } from "svelte";
import "$art/palette.css";
import "./app.css";
import App from "./App.svelte";
import { hangSprite } from "./lib/art";
import { followLinks } from "./lib/router.svelte";
import { keepSettings } from "./lib/settings.svelte";
import { learnLanguages } from "./lib/words.svelte";

keepSettings();
hangSprite();
followLinks();
await learnLanguages();
mount(App, { target: document.getElementById("app")! });
