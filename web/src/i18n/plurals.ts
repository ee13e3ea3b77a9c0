/**
 * Plural forms and number formats by Unicode CLDR, here through `Intl`, in Python through Babel
 * (souk/core/plurals.py). tests/messages.json keeps both alike.
 */

// order of the forms in a text
const CATEGORIES = ["zero", "one", "two", "few", "many", "other"] as const;
const MOST_DECIMALS = 3;
const MARKS = /[\u061c\u200e\u200f]/g; // direction marks, which Babel leaves out

interface Look {
  sign?: boolean; // with a plus sign
  decimals?: number | undefined; // fixed number; else as needed, up to three
  percent?: boolean; // without decimals unless given
}

interface Counting {
  rules: Intl.PluralRules;
  categories: Intl.LDMLPluralRule[];
  numbers: Map<string, Intl.NumberFormat>;
}

const known = new Map<string, Counting>();

/** The form of a word for a number; the last form covers all remaining categories. */
export function pluralForm(language: string, n: number, words: string[]): string {
  const { rules, categories } = countingIn(language);
  const kind = categories.indexOf(rules.select(Math.abs(n)));
  return words[Math.min(kind, words.length - 1)] ?? "";
}

/** A number in a language's notation, with digits 0–9, grouped thousands and a real minus sign. */
export function formatNumber(language: string, n: number, { sign = false, decimals, percent = false }: Look = {}): string {
  const figures = numbersIn(language, decimals ?? 0, decimals ?? (percent ? 0 : MOST_DECIMALS), percent)
    .format(Math.abs(n))
    .replace(MARKS, "");
  if (n < 0 && /[1-9]/.test(figures)) return `−${figures}`;
  return sign ? `+${figures}` : figures;
}

function numbersIn(language: string, least: number, most: number, percent: boolean): Intl.NumberFormat {
  const { numbers } = countingIn(language);
  const key = `${least} ${most} ${percent}`;
  const found =
    numbers.get(key) ??
    new Intl.NumberFormat(`${understood(language)}-u-nu-latn`, {
      style: percent ? "percent" : "decimal",
      useGrouping: true,
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    });
  numbers.set(key, found);
  return found;
}

function countingIn(language: string): Counting {
  const found = known.get(language) ?? learn(language);
  known.set(language, found);
  return found;
}

function learn(language: string): Counting {
  const rules = new Intl.PluralRules(understood(language));
  const kinds = rules.resolvedOptions().pluralCategories;
  return { rules, categories: CATEGORIES.filter((each) => kinds.includes(each)), numbers: new Map() };
}

/** Falls back to English for languages unknown to the browser. */
function understood(language: string): string {
  return language && Intl.PluralRules.supportedLocalesOf(language).length ? language : "en";
}
