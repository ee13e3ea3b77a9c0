import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const art = new URL("../souk/games/art", import.meta.url).pathname.replace(/^\/(?=\w:)/, ""); // a drive of Windows comes after a slash

// What is on the first pages that somebody sees, where it is on others too.
const FIRST = /src\/(lib|parts|lobby)\/|src\/(table\/(Seats|SeatDetails|Waking)|look\/FileDrop|games\/contract)|node_modules\/(?!uqr)/;

export default defineConfig({
  plugins: [svelte()],
  base: "/",
  resolve: { alias: { $art: decodeURIComponent(art) } },
  build: {
    outDir: "../souk/table/site",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // nothing inline: the server's Content-Security-Policy allows only files of its own
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: "index.html", sw: "src/sw.ts" },
      // What every page and table needs comes in one file: many small ones are packed worse, and each has to be asked for.
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"), // the service worker is for the whole site
        advancedChunks: { groups: [{ name: "shared", test: FIRST, minShareCount: 2 }] },
      },
    },
  },
});
