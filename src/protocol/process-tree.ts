import { processTable } from './process-table.js';

/** Variable by which what a host has started is found again, also when it has left its parent and its group. */
export const markVariable = 'ASSAY_PROCESS';

/** A host process, the leader of its process group. */
export interface MarkedProcess {
  readonly pid: number;
  /** What stands in {@link markVariable} of everything that it has started. */
  readonly mark: string;
}

/** Processes may start others while they are ended. */
const mostRounds = 5;

/**
 * What a host has started that left its process group, such as browsers that are started `detached`, and daemons; only
 * a signal to each reaches them.
 */
export function startedOutsideGroup({ pid: leader, mark }: MarkedProcess): number[] {
  const table = processTable(mark);
  const found = new Set([leader]);
  // A child may be listed before its parent.
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { pid, parent } of table) if (found.has(parent)) found.add(pid);
  }
  return table
    .filter(({ pid, isMarked }) => isMarked || found.has(pid))
    .filter(({ pid, group }) => group !== leader && pid !== leader && pid !== process.pid)
    .map(({ pid }) => pid);
}

/**
 * Sends a signal to a host and everything that it has started; the host may be this very process. `known` are
 * processes outside of its group from earlier signals, to which those of today are added.
 */
export function signalTree(
  host: MarkedProcess,
  signal: 'SIGTERM' | 'SIGKILL',
  known: Set<number> = new Set(),
): void {
  if (process.platform === 'win32') {
    // There are no groups, and no signal that asks.
    if (signal === 'SIGKILL') endTreeOnWindows(host.pid);
    return;
  }
  const isOwn = host.pid === process.pid;
  for (const pid of startedOutsideGroup(host)) known.add(pid);
  if (!isOwn) signalGroup(host.pid, signal);
  for (const pid of known) signalQuietly(pid, signal);
  if (signal === 'SIGKILL') killRest(host);
  if (isOwn) signalGroup(host.pid, signal);
}

function endTreeOnWindows(pid: number): void {
  // Loaded when it is needed: every host starts with this file.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
}

/** Sends a signal to all of a process group. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!signalQuietly(-leader, signal)) signalQuietly(leader, signal);
}

function killRest(host: MarkedProcess): void {
  for (let round = 0; round < mostRounds; round += 1) {
    // What has ended is listed until its parent has waited for it.
    if (!startedOutsideGroup(host).some((pid) => signalQuietly(pid, 'SIGKILL'))) return;
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // It has ended.
    return false;
  }
}
