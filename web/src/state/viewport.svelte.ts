/** Window sizes that change a page's structure. */
import { MediaQuery } from "svelte/reactivity";

const small = new MediaQuery("(max-width: 700px), (max-height: 500px)");
const upright = new MediaQuery("(orientation: portrait)");
const low = new MediaQuery("(max-height: 500px)");

export const screen = {
  /** Phone. */
  get small() {
    return small.current;
  },
  /** Portrait, of any size. */
  get upright() {
    return upright.current;
  },
  /** Phone in landscape. */
  get low() {
    return low.current;
  },
};
