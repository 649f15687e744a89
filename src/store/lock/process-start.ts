import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The start of a zombie: a process that has ended, but whose parent has not waited for it. */
const ended = 'ended';

/** The tolerance in milliseconds: `ps` prints whole seconds, and clocks differ slightly. */
const toleranceMs = 3000;

/**
 * When this process started: in ticks since boot with `/proc`, else `@` and Unix milliseconds.
 */
export function ownStart(): string {
  return startFromProc(process.pid) ?? `@${Math.round(performance.timeOrigin)}`;
}

/** Start time of a process, in the format of `like`, or `ended`; `null` if unknown. */
export function startOf(pid: number, like: string): string | null {
  if (!like.startsWith('@')) return startFromProc(pid);
  return process.platform === 'win32' ? startFromPowerShell(pid) : startFromPs(pid);
}

/** True when two starts with the same process id belong to the same process. */
export function isSameStart(one: string, other: string): boolean {
  if (!one.startsWith('@') || !other.startsWith('@')) return one === other;
  return Math.abs(Number(one.slice(1)) - Number(other.slice(1))) <= toleranceMs;
}

function startFromProc(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return null;
  // The second field is the command in parentheses, which may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return isZombie(fields[0]) ? ended : (fields[19] ?? null);
}

/** The start of a process from `ps`; `null` if there is no such process or no `ps`. */
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
  // A fixed locale and time zone, so that the output can be parsed.
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
