/** Milliseconds after its deadline at which a process gets SIGTERM, and at which it gets SIGKILL. */
const termAfterMs = 1300;
const killAfterMs = 1900;

/** True for a process that releases a task so late that something blocks it. The lane then sends it the next kill signal. */
export function isBlocked(lateMs: number): boolean {
  return lateMs >= termAfterMs;
}

/** The signals, sent by the lane, that kill a process which a busy loop or a synchronous call blocks past a deadline: SIGTERM once, then SIGKILL. */
export class KillSteps {
  #wasTerminated = false;

  /** The signal to send now to a process that is this many milliseconds late, if any. */
  next(lateMs: number): 'SIGTERM' | 'SIGKILL' | undefined {
    if (lateMs >= killAfterMs) return 'SIGKILL';
    if (!isBlocked(lateMs) || this.#wasTerminated) return undefined;
    this.#wasTerminated = true;
    return 'SIGTERM';
  }
}
