/** Animations on the market: Omar's walk, the die, payments, unrolling rugs. */
import { tween, wait } from "../../ui/animation/tween";
import { motionOn } from "../../state/settings.svelte";
import { fly } from "../../ui/animation/fly";
import type { Event, View } from "../../protocol/table";
import { factsOf } from "../facts";
import { angleOf, middle, type Pose, type Step } from "./board/market";
import { PAY, ROLL, STEP, stepTime, TURN, UNROLL, walkOf } from "./motion";
import { headingTo, NAMES, type Rug } from "./board/rugs";
import type { Direction, Game, Laid, OmarTurned, OmarWalked, Paid, RugCameUp } from "./types";

export class BoardAnimation {
  pose = $state<Pose>({ x: 0, y: 0, angle: 0 });
  stride = $state(0); // 0 standing, 1 mid-step
  rolling = $state(false);
  thrown = $state(""); // the die's face during a walk
  paying = $state.raw<Paid | null>(null);
  unrolling = $state.raw<Rug | null>(null);
  unrolled = $state(1);
  turningUp = $state(false);

  #run = 0;

  /** Animate an event, or show the view as it is if there is nothing to animate. */
  show(view: View<Game>, event: Event<Game> | null, before: View<Game> | null): void {
    const run = ++this.#run;
    this.#rest(view);
    if (!event || !before || !motionOn()) return;
    const [walked] = factsOf<OmarWalked>(event, "omar_walked");
    const [turned] = factsOf<OmarTurned>(event, "omar_turned");
    const [laid] = factsOf<Laid>(event, "laid");
    if (walked) void this.#walk(run, walked, factsOf<Paid>(event, "paid")[0]);
    else if (turned) void this.#turn(run, before.position.omar.facing, turned.faces);
    else if (laid) void this.#lay(run, laid, view.position.board);
    this.turningUp = factsOf<RugCameUp>(event, "rug_came_up").length > 0;
  }

  stop(): void {
    this.#run++;
  }

  #rest(view: View<Game>): void {
    const { at, facing } = view.position.omar;
    this.pose = { ...middle(at), angle: angleOf(facing) };
    this.stride = 0;
    this.rolling = false;
    this.thrown = "";
    this.paying = null;
    this.unrolling = null;
    this.turningUp = false;
  }

  async #walk(run: number, walked: OmarWalked, paid: Paid | undefined): Promise<void> {
    this.pose = { ...middle(walked.start), angle: angleOf(walked.faces) };
    this.thrown = String(walked.die);
    this.rolling = true;
    if (!(await this.#wait(run, ROLL * 0.75))) return;
    this.rolling = false;
    if (!(await this.#wait(run, ROLL * 0.25))) return;
    for (const step of walkOf(walked)) if (!(await this.#step(run, step))) return;
    if (paid) await this.#pay(run, paid);
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

  #turn(run: number, from: Direction, to: Direction): Promise<boolean> {
    const start = angleOf(from);
    const end = nearest(start, angleOf(to));
    return this.#tween(run, TURN, (part) => (this.pose = { ...this.pose, angle: start + (end - start) * part }));
  }

  async #pay(run: number, payment: Paid): Promise<void> {
    this.paying = payment;
    const purse = (seat: number) => document.querySelector(`[data-purse="${seat}"] [data-coin]`);
    if (!(await this.#wait(run, PAY * 0.3))) return;
    const from = purse(payment.seat);
    const to = purse(payment.to);
    if (from && to) void fly("coin", from, to, payment.paid);
    if (await this.#wait(run, PAY * 0.65)) this.paying = null;
  }

  async #lay(run: number, { fields, colour }: Laid, board: string[][]): Promise<void> {
    const number = Math.max(...board.flat().map((half) => Number(half.slice(1))));
    this.unrolling = { number, colour: NAMES[colour]!, fields, towards: headingTo(...fields) };
    this.unrolled = 0;
    if (await this.#tween(run, UNROLL - STEP / 2, (part) => (this.unrolled = part))) this.unrolling = null;
  }

  /** Whether the time passed without being superseded. */
  async #wait(run: number, time: number): Promise<boolean> {
    await wait(time);
    return run === this.#run;
  }

  #tween(run: number, time: number, draw: (part: number) => void): Promise<boolean> {
    return tween(time, draw, () => run === this.#run);
  }
}

/** The same direction by the shortest turn. */
function nearest(from: number, to: number): number {
  return from + ((((to - from) % 360) + 540) % 360) - 180;
}
