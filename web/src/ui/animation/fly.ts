/** Flying pieces: coins between purses, gems across the counter, chips to the bank. */
import { sizeOf } from "../art/art";
import { paced } from "./tween";
import { motionOn } from "../../state/settings.svelte";

const SVG = "http://www.w3.org/2000/svg";
const MOST = 8; // pieces in flight at once
const GAP = 70; // ms between two pieces
const TIME = 620;
const HEIGHT = 30;

/** Fly `count` pieces of art between two places; resolves when the last has landed. */
export async function fly(name: string, from: Element | DOMRect, to: Element | DOMRect, count = 1): Promise<void> {
  if (!motionOn() || count < 1) return;
  const begin = middle(from);
  const end = middle(to);
  const flights = Array.from({ length: Math.min(count, MOST) }, (_, k) => one(name, begin, end, k));
  await Promise.all(flights);
}

async function one(name: string, begin: DOMPoint, end: DOMPoint, k: number): Promise<void> {
  const piece = draw(name);
  document.body.append(piece);
  const wobble = ((k * 37) % 21) - 10;
  const lift = -Math.min(90, 24 + Math.hypot(end.x - begin.x, end.y - begin.y) / 5);
  const at = (x: number, y: number, scale: number) => ({ transform: `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})` });
  const flight = piece.animate(
    [
      { ...at(begin.x + wobble, begin.y, 0.7), opacity: 0 },
      { ...at(begin.x + wobble, begin.y, 1), opacity: 1, offset: 0.12 },
      { ...at((begin.x + end.x) / 2 + wobble, (begin.y + end.y) / 2 + lift, 1.2), offset: 0.55 },
      { ...at(end.x, end.y, 0.85), opacity: 1 },
    ],
    { duration: paced(TIME), delay: paced(k * GAP), easing: "cubic-bezier(.45,.05,.35,1)", fill: "both" },
  );
  try {
    await flight.finished;
  } catch {
    // cancelled: treat as landed
  }
  piece.remove();
}

function shown(place: Element): Element {
  return place.getClientRects().length || !place.parentElement ? place : shown(place.parentElement);
}

function draw(name: string): SVGSVGElement {
  const [width, height] = sizeOf(name);
  const piece = document.createElementNS(SVG, "svg");
  piece.setAttribute("viewBox", `0 0 ${width} ${height}`);
  piece.setAttribute("width", String((HEIGHT * width) / height));
  piece.setAttribute("height", String(HEIGHT));
  piece.setAttribute("class", "flying");
  piece.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#art-${name}`);
  use.setAttribute("width", String(width));
  use.setAttribute("height", String(height));
  piece.append(use);
  return piece;
}

/**
 * The middle of a place, or of its container if it is hidden: on a phone a purse shows only some
 * things.
 */
function middle(place: Element | DOMRect): DOMPoint {
  const box = place instanceof Element ? shown(place).getBoundingClientRect() : place;
  return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
}
