import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  base: "/",
  build: {
    outDir: "../souk/table/site",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // nothing inline: the server's Content-Security-Policy allows only files of its own
    modulePreload: { polyfill: false },
  },
});
