/** Milliseconds after which a step begins a new movement. Busy machines draw few frames. */
export const pause = 400;

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
    return now - this.#at < pause ? this.#speed : 0;
  }
}

function slower(a: number, b: number): number {
  if (Math.sign(a) !== Math.sign(b)) return 0;
  return Math.abs(a) < Math.abs(b) ? a : b;
}
