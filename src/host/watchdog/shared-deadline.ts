/** The time in milliseconds, by a clock that all threads of the process share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The deadline of the attempt that is due first, shared with other threads. */
export class SharedDeadline {
  readonly memory: SharedArrayBuffer;
  readonly #times: Float64Array;

  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
    this.#times = new Float64Array(this.memory);
    if (memory === undefined) this.value = Number.POSITIVE_INFINITY;
  }

  /** Milliseconds as returned by {@link sharedNow}; Infinity while nothing runs. */
  get value(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY;
  }

  set value(ms: number) {
    this.#times[0] = ms;
  }
}
