/** Milliseconds of the clock that all threads of a process share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** When the main thread must have ended the first attempt that it runs, where other threads can read it. */
export class DueTime {
  readonly memory: SharedArrayBuffer;
  readonly #times: Float64Array;

  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
    this.#times = new Float64Array(this.memory);
    if (memory === undefined) this.value = Number.POSITIVE_INFINITY;
  }

  /** Milliseconds as {@link sharedNow} gives them; Infinity while nothing runs. */
  get value(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY;
  }

  set value(ms: number) {
    this.#times[0] = ms;
  }
}
