const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2 };

/** Arrow keys move between the sides of the exchanges and from one exchange to the next. */
export function walk(press: KeyboardEvent): void {
  const step = STEPS[press.key];
  const sides = [...(press.currentTarget as Element).querySelectorAll<HTMLElement>("[data-rate]")];
  const at = sides.indexOf(document.activeElement as HTMLElement);
  if (step === undefined || at < 0) return;
  press.preventDefault();
  sides[(at + step + sides.length) % sides.length]?.focus();
}
