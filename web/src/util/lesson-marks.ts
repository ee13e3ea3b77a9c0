/** What a lesson points at: "field d5 + field e5" is everything on the page that has data-field="d5" or "e5". */
import { around, type Box } from "./placing";

/** The elements of the first mark that is on the page. Where a thing is there twice, as an arrow on the board and as a
 * button, it is the button; of two alike the larger. */
export function marked(marks: string[]): Element[] {
  for (const mark of marks) {
    const found = mark.split(" + ").map(plainest);
    const there = found.filter((element) => element !== null);
    if (there.length) return there;
  }
  return [];
}

/** Where elements are, in the window. */
export function boxOf(elements: Element[]): Box | null {
  return elements.length ? around(elements.map((element) => element.getBoundingClientRect())) : null;
}

function plainest(mark: string): Element | null {
  const space = mark.indexOf(" ");
  const [kind, name] = [mark.slice(0, space), mark.slice(space + 1)];
  const area = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width * height;
  };
  const found = [...document.querySelectorAll(`main :is(.stage, .seats) [data-${kind}="${CSS.escape(name)}"]`)].filter(area);
  const buttons = found.filter((element) => element instanceof HTMLElement);
  return (buttons.length ? buttons : found).sort((a, b) => area(b) - area(a))[0] ?? null;
}

/** Press what can be played on a stage, counted from 1 in the order of the page. */
export function pressMove(stage: HTMLElement | undefined, number: number): void {
  const offered = stage?.querySelectorAll<HTMLElement | SVGElement>("[data-move]:not([disabled], [aria-disabled=true])");
  offered?.[number - 1]?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}
