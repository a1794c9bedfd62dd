// @ts-check
/** The chime of a ring: again and again, louder each time, until somebody touches it. */

const EVERY = 3_500; // milliseconds; between two of them the words are understood
const STEPS = 8; // from a whisper to a shout, in about half a minute

/** How loud it is that many times after the first, from 0 to 1. @param {number} time */
export const loudness = (time) => 0.15 + 0.85 * Math.min(1, time / STEPS);

export class Chime {
  /** @param {import("./sound.js").Sound} sound @param {() => boolean} mine whether this tab is the loud one */
  constructor(sound, mine) {
    this.sound = sound;
    this.mine = mine;
    this.touched = false;
    this.times = 0;
    this.timer = 0;
  }

  get isOn() {
    return this.timer !== 0;
  }

  /** @param {boolean} rings whether anything rings here */
  attend(rings) {
    const wanted = rings && !this.touched;
    if (wanted && !this.timer) {
      this.times = 0;
      this.timer = /** @type {any} */ (setInterval(() => this.strike(), EVERY));
      this.strike();
    } else if (!wanted && this.timer) {
      clearInterval(this.timer);
      this.timer = 0;
    }
  }

  strike() {
    if (!this.mine() || this.sound.isSpeaking) return;
    this.sound.chime(loudness(this.times++));
    // Before the page was touched a browser refuses to shake, and complains.
    if (navigator.userActivation?.hasBeenActive) /** @type {any} */ (navigator).vibrate?.([300, 150, 300]);
  }

  touch() {
    this.touched = true;
    this.attend(false);
  }

  /** Something new rings: whoever silenced the last one has not heard it. */
  rearm() {
    this.touched = false;
  }
}
