/** What is moving on the market just now: Omar on his way, the die, a payment, a rug being unrolled. */
import { motionOn } from "../../lib/settings.svelte";
import { fly } from "../../parts/fly";
import type { Event, View } from "../../protocol";
import { angleOf, middle, type Heading, type Pose, type Step } from "./market";
import { PAY, ROLL, STEP, stepTime, TURN, UNROLL, walkOf } from "./motion";
import { headingTo, NAMES, type Rug } from "./rugs";
import { positionOf, shownOf, type Payment, type Shown } from "./scene";

export class Stage {
  pose = $state<Pose>({ x: 0, y: 0, angle: 0 });
  stride = $state(0); // 0 standing, 1 in the middle of a step
  rolling = $state(false);
  thrown = $state(""); // what the die shows while a walk is shown
  paying = $state.raw<Payment | null>(null);
  unrolling = $state.raw<Rug | null>(null);
  unrolled = $state(1);
  turningUp = $state(false);

  #run = 0;

  /** Show an event, or where nothing led here or nothing may move, how things stand. */
  show(view: View, event: Event | null, before: View | null): void {
    const run = ++this.#run;
    this.#rest(view);
    if (!event || !before || !motionOn()) return;
    const shown = shownOf(event);
    if (shown.way) void this.#walk(run, shown);
    else if (shown.faces) void this.#turn(run, positionOf(before).omar.facing, shown.faces);
    else if (shown.rug) void this.#lay(run, shown.rug, shown.colour!, positionOf(view));
    else if (shown.up) this.turningUp = true;
  }

  stop(): void {
    this.#run++;
  }

  #rest(view: View): void {
    const { at, facing } = positionOf(view).omar;
    this.pose = { ...middle(at), angle: angleOf(facing) };
    this.stride = 0;
    this.rolling = false;
    this.thrown = "";
    this.paying = null;
    this.unrolling = null;
    this.turningUp = false;
  }

  async #walk(run: number, shown: Shown): Promise<void> {
    const steps = walkOf(shown);
    this.pose = { ...middle(shown.from!), angle: angleOf(shown.faces!) };
    this.thrown = String(shown.die);
    this.rolling = true;
    if (!(await this.#wait(run, ROLL * 0.75))) return;
    this.rolling = false;
    if (!(await this.#wait(run, ROLL * 0.25))) return;
    for (const step of steps) if (!(await this.#step(run, step))) return;
    if (shown.payment) await this.#pay(run, shown.payment);
  }

  #step(run: number, step: Step): Promise<boolean> {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", step.path);
    const length = path.getTotalLength();
    const from = this.pose.angle;
    return this.#tween(run, stepTime(step), (part) => {
      const { x, y } = path.getPointAtLength(length * part);
      const ahead = path.getPointAtLength(length * part + 2);
      const turned = step.round && part < 0.98 ? (Math.atan2(ahead.x - x, y - ahead.y) * 180) / Math.PI : angleOf(step.heading);
      this.pose = { x, y, angle: step.round ? turned : nearest(from, angleOf(step.heading)) };
      this.stride = Math.sin(Math.PI * part);
    });
  }

  #turn(run: number, from: Heading, to: Heading): Promise<boolean> {
    const start = angleOf(from);
    const end = nearest(start, angleOf(to));
    return this.#tween(run, TURN, (part) => (this.pose = { ...this.pose, angle: start + (end - start) * part }));
  }

  async #pay(run: number, payment: Payment): Promise<void> {
    this.paying = payment;
    const purse = (seat: number) => document.querySelector(`[data-purse="${seat}"] [data-coin]`);
    if (!(await this.#wait(run, PAY * 0.3))) return;
    const from = purse(payment.from);
    const to = purse(payment.to);
    if (from && to) void fly("coin", from, to, payment.paid);
    if (await this.#wait(run, PAY * 0.65)) this.paying = null;
  }

  async #lay(run: number, [near, far]: [string, string], initial: string, { board }: { board: string[][] }): Promise<void> {
    const number = Math.max(...board.flat().map((half) => Number(half.slice(1))));
    this.unrolling = { number, colour: NAMES[initial]!, fields: [near, far], towards: headingTo(near, far) };
    this.unrolled = 0;
    if (await this.#tween(run, UNROLL - STEP / 2, (part) => (this.unrolled = part))) this.unrolling = null;
  }

  /** Whether the time passed without anything else being shown instead. */
  async #wait(run: number, time: number): Promise<boolean> {
    await new Promise((done) => setTimeout(done, time));
    return run === this.#run;
  }

  #tween(run: number, time: number, draw: (part: number) => void): Promise<boolean> {
    const begin = performance.now();
    return new Promise((done) => {
      const frame = (now: number) => {
        if (run !== this.#run) return done(false);
        const part = Math.min(1, Math.max(0, (now - begin) / time));
        draw(part * part * (3 - 2 * part));
        if (part < 1) requestAnimationFrame(frame);
        else done(true);
      };
      requestAnimationFrame(frame);
    });
  }
}

/** The same direction, by the shortest turn from another. */
function nearest(from: number, to: number): number {
  return from + ((((to - from) % 360) + 540) % 360) - 180;
}
