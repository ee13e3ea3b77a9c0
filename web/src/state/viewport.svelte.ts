/** How much room the window has, where a page is built otherwise and not only drawn smaller. */
import { MediaQuery } from "svelte/reactivity";

const small = new MediaQuery("(max-width: 700px), (max-height: 500px)");
const upright = new MediaQuery("(orientation: portrait)");
const low = new MediaQuery("(max-height: 500px)");

export const screen = {
  /** A phone, upright or on its side. */
  get small() {
    return small.current;
  },
  /** Higher than wide, whatever its size. */
  get upright() {
    return upright.current;
  },
  /** A phone on its side. */
  get low() {
    return low.current;
  },
};
