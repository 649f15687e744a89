/** Steps further apart than this do not belong to one movement, in milliseconds. A busy machine draws few frames. */
const pause = 400;

/** Follows how fast a page scrolls. */
export class ScrollPace {
  #top = 0;
  #at = Number.NEGATIVE_INFINITY;
  #last = 0;
  #speed = 0;
  #step = 16;

  /** Milliseconds from one step of a movement to the next, about. */
  get step(): number {
    return this.#step;
  }

  /** Notes where the page is, in pixels, at a time in milliseconds. */
  note(top: number, now: number): void {
    const passed = now - this.#at;
    if (passed <= 0) return;
    const speed = passed < pause ? (top - this.#top) / passed : 0;
    if (passed < pause) this.#step += (passed - this.#step) / 4;
    // A jump is a single fast step: the next place it goes to is anyone's guess.
    this.#speed = slower(this.#last, speed);
    this.#last = speed;
    this.#top = top;
    this.#at = now;
  }

  /** Pixels a millisecond, negative upwards; 0 when the page stands still. */
  speed(now: number): number {
    return now - this.#at < pause ? this.#speed : 0;
  }
}

function slower(a: number, b: number): number {
  if (Math.sign(a) !== Math.sign(b)) return 0;
  return Math.abs(a) < Math.abs(b) ? a : b;
}
