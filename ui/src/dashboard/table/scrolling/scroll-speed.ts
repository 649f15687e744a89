/** Milliseconds after which a step begins a new movement. */
const pause = 400;
/** The least number of milliseconds without a step after which the page stands still. */
const leastRest = 100;

/** Measures the scroll speed of a page. */
export class ScrollSpeed {
  #top = 0;
  #at = Number.NEGATIVE_INFINITY;
  #last = 0;
  #speed = 0;
  #step = 16;

  /** Average milliseconds between the steps of a movement. */
  get step(): number {
    return this.#step;
  }

  /** Milliseconds without a step after which the page stands still: more on a busy machine, which draws few frames. */
  get rest(): number {
    return Math.min(pause, Math.max(leastRest, this.#step * 6));
  }

  /** Records the scroll position in pixels at a time in milliseconds. */
  note(top: number, now: number): void {
    const passed = now - this.#at;
    if (passed <= 0) return;
    const speed = passed < pause ? (top - this.#top) / passed : 0;
    if (passed < pause) this.#step += (passed - this.#step) / 4;
    // A jump is a single fast step, which says nothing about the next position.
    this.#speed = slower(this.#last, speed);
    this.#last = speed;
    this.#top = top;
    this.#at = now;
  }

  /** Pixels per millisecond, negative upwards; 0 when the page does not scroll. */
  speed(now: number): number {
    return now - this.#at < this.rest ? this.#speed : 0;
  }
}

function slower(a: number, b: number): number {
  if (Math.sign(a) !== Math.sign(b)) return 0;
  return Math.abs(a) < Math.abs(b) ? a : b;
}
