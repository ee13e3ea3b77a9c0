/** How the options of a table of Bazaar are chosen that are more than yes or no. */
import RatesField from "./RatesField.svelte";
import WareField from "./WareField.svelte";

export const fields = { rates: RatesField, ware: WareField };
