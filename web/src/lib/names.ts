/** Names that bots go by, so that a table is not four times "bot". */

const NAMES = ["Amina", "Yusuf", "Leyla", "Karim", "Zahra", "Idris", "Samira", "Tarik", "Nadia", "Hamid", "Soraya", "Faruk"];

/** So many different names, none of them taken. */
export function botNames(count: number, taken: string[]): string[] {
  const free = NAMES.filter((name) => !taken.includes(name));
  const begin = Math.floor(Math.random() * free.length);
  return Array.from({ length: count }, (_, k) => free[(begin + k) % free.length]!);
}
