import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { processExists } from '../../files/temporary-files.js';
import { isSameStart, ownStart, startOf } from './process-start.js';

/** Identifies a process, even after its id is reused. */
export interface ProcessIdentity {
  readonly host: string;
  /** Changes with every start of the machine; `null` where the system does not say. */
  readonly boot_id: string | null;
  readonly pid: number;
  /** Start time of the process, as `ownStart` writes it; `null` if the system did not report it. */
  readonly start_time: string | null;
}

let own: ProcessIdentity | undefined;

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  own ??= {
    host: hostname(),
    boot_id: readBootId(),
    pid: process.pid,
    start_time: ownStart(),
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
  if (!processExists(other.pid)) return false;
  if (other.start_time === null) return true;
  const start = startOf(other.pid, other.start_time);
  return start === null || isSameStart(start, other.start_time);
}

/** True when a process belongs to this machine. */
export function isLocal(other: Pick<ProcessIdentity, 'host'>): boolean {
  return other.host === ownIdentity().host;
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
