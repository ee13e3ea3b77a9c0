import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// a Windows drive follows a slash
const art = new URL("../souk/drawing", import.meta.url).pathname.replace(/^\/(?=\w:)/, "");

// Modules of the first pages that others use as well; the names in (?!…) are used by later pages only.
const FIRST =
  /src\/(lobby|net|state|ui|i18n|util|dice)\/(?!dialogs\/Confirm|ClockField|OptionField|FormFooter|ColourField|BoxChoice|SeatField|rules|forms\/Segmented|custom-boxes|position-url|puzzle\.)|src\/(share\/share-puzzle|table\/seats\/(Seats|SeatDetails|BotWarmup)|analysis\/FileDrop|games\/contract)|node_modules\/(?!uqr)/;

export default defineConfig({
  plugins: [svelte()],
  base: "/",
  resolve: { alias: { $art: decodeURIComponent(art) } },
  build: {
    outDir: "../souk/server/site",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // no inlining: the Content-Security-Policy allows only files of our own
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: "index.html", sw: "src/service-worker.ts" },
      // One file for what every page and table needs: many small ones compress worse, and each
      // costs a request.
      output: {
        // the service worker covers the whole site
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
        advancedChunks: { groups: [{ name: "shared", test: FIRST, minShareCount: 2 }] },
      },
    },
  },
});
