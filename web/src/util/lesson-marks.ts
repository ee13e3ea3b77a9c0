/** What a lesson points at: "field d5 + field e5" is every element with data-field="d5" or "e5". */
import { around, type Box } from "../ui/popover/popover-placement";

/**
 * The elements of the first mark found on the page. Of duplicates, such as an arrow and a button,
 * the button; else the larger one.
 */
export function markedElements(marks: string[]): Element[] {
  for (const mark of marks) {
    const found = mark.split(" + ").map(plainest);
    const there = found.filter((element) => element !== null);
    if (there.length) return there;
  }
  return [];
}

/** The bounding box of elements in the window. */
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

/** Press the n-th playable element of a stage, from 1 in document order. */
export function pressMove(stage: HTMLElement | undefined, number: number): void {
  const offered = stage?.querySelectorAll<HTMLElement | SVGElement>("[data-move]:not([disabled], [aria-disabled=true])");
  offered?.[number - 1]?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}
