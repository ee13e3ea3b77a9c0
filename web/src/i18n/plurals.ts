/** How a language counts: which of its words a number wants, and how numbers are written. Unicode's data on languages decide, here by `Intl`, in
 * Python by Babel (souk/core/counting.py); what both do where they would differ, tests/messages.json says. */

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"] as const; // in the order in which a text has its words
const MOST_DECIMALS = 3;
const MARKS = /[\u061c\u200e\u200f]/g; // of the direction of writing: Babel has none

interface Look {
  sign?: boolean; // a plus, too
  decimals?: number | undefined; // so many; else those it has, up to three
  percent?: boolean; // then without decimals, unless they are asked for
}

interface Counting {
  rules: Intl.PluralRules;
  categories: Intl.LDMLPluralRule[];
  numbers: Map<string, Intl.NumberFormat>;
}

const known = new Map<string, Counting>();

/** The word that a number wants: there is one for each kind of number, and the last stands for all kinds that are left. */
export function wordFor(language: string, n: number, words: string[]): string {
  const { rules, categories } = countingIn(language);
  const kind = categories.indexOf(rules.select(Math.abs(n)));
  return words[Math.min(kind, words.length - 1)] ?? "";
}

/** A number as a language writes it. Digits are 0–9, thousands are always set apart, and a minus is a minus sign. */
export function written(language: string, n: number, { sign = false, decimals, percent = false }: Look = {}): string {
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

/** A language that the browser does not know counts as English does. */
function understood(language: string): string {
  return language && Intl.PluralRules.supportedLocalesOf(language).length ? language : "en";
}
