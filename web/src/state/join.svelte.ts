/** Takes an open seat, by a personal link or by the table's address. */
import { sitDown, errorText } from "../net/api";
import { myName } from "./create-table";
import { newShare } from "../dice/shares";
import { saveName } from "./me.svelte";

export class JoinState {
  busy = $state(false);
  fault = $state(""); // why it failed

  /** Sit down; `secret` is the link's or "". The table must then be reopened as that player. */
  async sit(table: string, secret: string, seated: () => void): Promise<void> {
    this.busy = true;
    this.fault = "";
    try {
      await sitDown(table, { secret, name: myName(), commitment: await newShare() });
      seated();
      void saveName();
    } catch (error) {
      this.fault = errorText(error);
    }
    this.busy = false;
  }
}
