import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

// The server's messages have types (protocol/*.ts, games/<game>/types.ts). If they do not fit, fix
// the types.
const DOUBLE = "A type asserted twice is not checked at all.";

export default defineConfig(
  { languageOptions: { globals: globals.browser }, linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  ts.configs.recommended,
  ts.configs.stylistic,
  svelte.configs.recommended,
  {
    // {#each { length: n } as _, k} needs a name for the unused value.
    rules: { "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_$" }] },
  },
  {
    files: ["**/*.ts", "**/*.svelte"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig, projectService: true, extraFileExtensions: [".svelte"] } },
    rules: {
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/no-unnecessary-type-assertion": "error",
      "no-restricted-syntax": ["error", { selector: "TSAsExpression > TSAsExpression", message: DOUBLE }],
    },
  },
);
