import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import pages from "./vite.config.ts";

export default defineConfig({
  plugins: [svelte()],
  resolve: { ...pages.resolve, conditions: ["browser"] }, // Svelte as a browser gets it, not as a server
  server: { fs: { allow: [".."] } }, // the pictures lie outside
  test: {
    include: ["src/**/*.test.ts"],
    environment: "jsdom",
    setupFiles: ["tests/browser.ts"],
    pool: "vmThreads",
    restoreMocks: true,
    unstubGlobals: true,
  },
});
