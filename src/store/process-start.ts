import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a process that has ended, but that nobody has waited for yet, has in place of its start. */
export const ended = 'ended';

/** `ps` says whole seconds, and clocks of a process and of the system differ by a little. */
const toleranceMs = 3000;

/**
 * When this process started: with `/proc` in ticks since the machine started, elsewhere `@` and milliseconds since 1970.
 */
export function ownStart(): string {
  return startFromProc(process.pid) ?? `@${Math.round(performance.timeOrigin)}`;
}

/** When a process started, in the form that `like` has, or `ended`; `null` where the system does not say. */
export function startOf(pid: number, like: string): string | null {
  if (!like.startsWith('@')) return startFromProc(pid);
  return process.platform === 'win32' ? startFromPowerShell(pid) : startFromPs(pid);
}

/** Whether two starts of processes with one number are those of one process. */
export function isSameStart(one: string, other: string): boolean {
  if (!one.startsWith('@') || !other.startsWith('@')) return one === other;
  return Math.abs(Number(one.slice(1)) - Number(other.slice(1))) <= toleranceMs;
}

function startFromProc(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return null;
  // The second field is the command in brackets and may hold blanks and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return isZombie(fields[0]) ? ended : (fields[19] ?? null);
}

/** The start of a process as `ps` says it; `null` when there is no such process or no `ps`. */
export function startFromPs(pid: number): string | null {
  const text = outputOf('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
  const [, state, start = ''] = /^\s*(\S+)\s+(.+)$/m.exec(text) ?? [];
  return isZombie(state) ? ended : sinceEpoch(`${start.trim()} UTC`);
}

function startFromPowerShell(pid: number): string | null {
  const script = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`;
  return sinceEpoch(outputOf('powershell.exe', ['-NoProfile', '-Command', script]).trim());
}

function sinceEpoch(date: string): string | null {
  const time = Date.parse(date);
  return Number.isNaN(time) ? null : `@${time}`;
}

function isZombie(state: string | undefined): boolean {
  return state?.startsWith('Z') === true || state?.startsWith('X') === true;
}

function outputOf(command: string, args: readonly string[]): string {
  // Names of days and months, and the time zone, would be those of the user.
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const options = { encoding: 'utf8', env, timeout: 5000, windowsHide: true } as const;
  return spawnSync(command, args, options).stdout ?? '';
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
