// @vitest-environment node
import { expect, test } from "vitest";
import { pack, unpack } from "./packing";

test("a position comes back as it was", async () => {
  const text = JSON.stringify({ game: "suleika", board: Array.from({ length: 7 }, () => Array<string>(7).fill("r12")) });
  const packed = await pack(text);
  expect(packed).toMatch(/^[\w-]+$/);
  expect(packed.length).toBeLessThan(text.length);
  expect(await unpack(packed)).toBe(text);
});

test("nonsense is nothing, and what is too large is not packed or unpacked", async () => {
  expect(await unpack("%%%")).toBe("");
  expect(await unpack("abcd")).toBe("");
  expect(await unpack("x".repeat(7000))).toBe("");
  const noise = Array.from({ length: 15_000 }, (_, k) => String.fromCharCode(33 + ((k * k * 7919 + k * 31) % 90))).join("");
  expect(await unpack(await pack(noise))).toBe((await pack(noise)) ? noise : "");
  await expect(pack("ab".repeat(1_000_000))).resolves.toMatch(/^[\w-]*$/);
});
