import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { hasSystemCode } from '../errors.js';

/** What tells one process from every other, also after its number was used again. */
export interface ProcessIdentity {
  readonly host: string;
  /** Changes with every start of the machine; `null` where the system does not say. */
  readonly boot_id: string | null;
  readonly pid: number;
  /** Start of the process in ticks since the machine started; `null` where the system does not say. */
  readonly start_time: string | null;
}

let own: ProcessIdentity | undefined;

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  own ??= {
    host: hostname(),
    boot_id: readBootId(),
    pid: process.pid,
    start_time: readStartTime(process.pid),
  };
  return own;
}

/** False only when it is certain that the process is gone; processes of other machines count as alive. */
export function mayBeAlive(other: ProcessIdentity): boolean {
  const self = ownIdentity();
  if (other.host !== self.host) return true;
  if (other.boot_id !== null && self.boot_id !== null && other.boot_id !== self.boot_id) {
    return false;
  }
  if (!exists(other.pid)) return false;
  if (other.start_time === null) return true;
  const startTime = readStartTime(other.pid);
  return startTime === null || startTime === other.start_time;
}

/** True when a process belongs to this machine. */
export function isLocal(other: Pick<ProcessIdentity, 'host'>): boolean {
  return other.host === ownIdentity().host;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasSystemCode(error, 'ESRCH');
  }
}

function readBootId(): string | null {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function readStartTime(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return null;
  // The second field is the command in brackets and may hold blanks and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A process that ended but was not waited for yet keeps its number; it holds nothing any more.
  if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
  return fields[19] ?? null;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
