/** Taking a seat that is offered: by a link of its own, or by the table's address. */
import { sitDown, whyNot } from "./api";
import { myName } from "./playing";
import { newShare } from "./shares";
import { keepName } from "./who.svelte";

export class Sitting {
  busy = $state(false);
  fault = $state(""); // why that could not be

  /** Sit down at a table; `secret` is that of a link, or "". Then the table has to be opened anew, as whoever sits there. */
  async sit(table: string, secret: string, seated: () => void): Promise<void> {
    this.busy = true;
    this.fault = "";
    try {
      await sitDown(table, { secret, name: myName(), commitment: await newShare() });
      seated();
      void keepName();
    } catch (error) {
      this.fault = whyNot(error);
    }
    this.busy = false;
  }
}
