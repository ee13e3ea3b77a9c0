/** Input fields for Bazaar's table options. */
import RatesField from "./options/RatesField.svelte";
import WareField from "./options/WareField.svelte";

export const fields = { rates: RatesField, ware: WareField };
