/**
 * Synthesised sounds. Silent until the first user gesture, as browsers require, and if switched
 * off.
 */
import { settings, type Loudness } from "../state/settings.svelte";

export type Sound = "dice" | "coins" | "gems" | "offer" | "card" | "cloth" | "step" | "say" | "turn" | "end";

const VOLUMES: Record<Loudness, number> = { off: 0, quiet: 0.22, full: 0.75 };
const SILENT = 3000; // ms of silence before the audio context is suspended
const GAP = 0.06; // minimum seconds between sounds, so that simultaneous events are not louder

let context: AudioContext | null = null;
let master: GainNode | null = null;
let resting = 0; // timer
let free = 0; // earliest time for the next sound

/** Play a sound after `later` seconds. */
export function playSound(sound: Sound, later = 0): void {
  const volume = VOLUMES[settings.sound];
  if (!volume || !navigator.userActivation?.hasBeenActive) return;
  const [audio, out] = opened();
  if (audio.state === "suspended") void audio.resume();
  const at = Math.max(audio.currentTime + 0.01 + later, free);
  if (at > audio.currentTime + later + 1) return; // too many at once
  free = at + GAP;
  out.gain.setValueAtTime(volume, audio.currentTime);
  MADE[sound](audio, out, at);
  clearTimeout(resting);
  resting = window.setTimeout(() => void audio.suspend(), 1000 * later + SILENT);
}

function opened(): [AudioContext, GainNode] {
  if (!context || !master) {
    context = new AudioContext();
    master = context.createGain();
    master.connect(context.destination);
  }
  return [context, master];
}

type Make = (audio: AudioContext, out: AudioNode, at: number) => void;

const MADE: Record<Sound, Make> = {
  // Wood on wood, slowing down.
  dice: (audio, out, at) => {
    [0, 0.07, 0.16, 0.28].forEach((later, k) => knock(audio, out, at + later, 1500 - 170 * k, 0.5 - 0.09 * k));
  },
  coins: (audio, out, at) => {
    [0, 0.06, 0.11].forEach((later, k) => ring(audio, out, at + later, 2300 + 420 * k, 0.22, 0.18));
  },
  gems: (audio, out, at) => {
    [0, 0.08].forEach((later, k) => ring(audio, out, at + later, 1320 * (k ? 1.5 : 1), 0.35, 0.16));
  },
  offer: (audio, out, at) => ring(audio, out, at, 520, 0.16, 0.22, "triangle"),
  card: (audio, out, at) => rustle(audio, out, at, 2600, 0.09, 0.3),
  cloth: (audio, out, at) => rustle(audio, out, at, 700, 0.22, 0.45),
  step: (audio, out, at) => knock(audio, out, at, 620, 0.25),
  say: (audio, out, at) => {
    ring(audio, out, at, 660, 0.1, 0.16, "triangle");
    ring(audio, out, at + 0.09, 830, 0.14, 0.16, "triangle");
  },
  // A small bell, twice.
  turn: (audio, out, at) => {
    ring(audio, out, at, 784, 0.7, 0.3);
    ring(audio, out, at + 0.16, 1175, 0.9, 0.26);
  },
  end: (audio, out, at) => {
    [523, 659, 784, 1047].forEach((tone, k) => ring(audio, out, at + 0.13 * k, tone, 0.9, 0.26));
  },
};

/** A decaying tone. */
function ring(
  audio: AudioContext,
  out: AudioNode,
  at: number,
  tone: number,
  time: number,
  loud: number,
  form: OscillatorType = "sine",
): void {
  const voice = audio.createOscillator();
  voice.type = form;
  voice.frequency.value = tone;
  fade(audio, voice, out, at, time, loud);
  voice.start(at);
  voice.stop(at + time);
}

/** A hard knock: a tone that drops quickly. */
function knock(audio: AudioContext, out: AudioNode, at: number, tone: number, loud: number): void {
  const voice = audio.createOscillator();
  voice.type = "triangle";
  voice.frequency.setValueAtTime(tone, at);
  voice.frequency.exponentialRampToValueAtTime(tone / 4, at + 0.06);
  fade(audio, voice, out, at, 0.07, loud);
  voice.start(at);
  voice.stop(at + 0.08);
}

/** Filtered noise: paper or wool. */
function rustle(audio: AudioContext, out: AudioNode, at: number, tone: number, time: number, loud: number): void {
  const samples = Math.ceil(audio.sampleRate * time);
  const noise = audio.createBufferSource();
  noise.buffer = audio.createBuffer(1, samples, audio.sampleRate);
  const wave = noise.buffer.getChannelData(0);
  for (let k = 0; k < samples; k++) wave[k] = Math.random() * 2 - 1;
  const gap = audio.createBiquadFilter();
  gap.type = "bandpass";
  gap.frequency.value = tone;
  noise.connect(gap);
  fade(audio, gap, out, at, time, loud);
  noise.start(at);
}

function fade(audio: AudioContext, from: AudioNode, out: AudioNode, at: number, time: number, loud: number): void {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(loud, at + 0.005);
  volume.gain.exponentialRampToValueAtTime(0.0005, at + time);
  from.connect(volume).connect(out);
}
