/** Milliseconds after its deadline at which a process gets SIGTERM, and at which it gets SIGKILL. */
const termAfterMs = 1300;
const killAfterMs = 1900;

interface Killable {
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** True for a process so long after a deadline that something blocks it. */
export function isBlocked(lateMs: number): boolean {
  return lateMs >= termAfterMs;
}

/** Kills a process that a busy loop or a synchronous call blocks past a deadline: SIGTERM once, then SIGKILL. */
export class BlockedProcessKiller {
  #terminated: Killable | undefined;

  /** To be called every 100 ms or so, with how late the process is. */
  check(process: Killable | undefined, lateMs: number): void {
    if (lateMs >= killAfterMs) process?.kill('SIGKILL');
    else if (isBlocked(lateMs) && process !== this.#terminated) {
      this.#terminated = process;
      process?.kill('SIGTERM');
    }
  }
}
