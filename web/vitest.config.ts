import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import pages from "./vite.config.ts";

export default defineConfig({
  plugins: [svelte()],
  resolve: { ...pages.resolve, conditions: ["browser"] }, // Svelte for browsers, not for servers
  server: { fs: { allow: [".."] } }, // the pictures are outside
  test: {
    include: ["src/**/*.test.ts"],
    environment: "jsdom",
    setupFiles: ["tests/browser.ts"],
    pool: "vmThreads",
    restoreMocks: true,
    unstubGlobals: true,
  },
});
