import { processTable } from './process-table.js';

/** The environment variable that marks processes started by a host, even after they have left its process group. */
export const markVariable = 'ASSAY_PROCESS';

/** A host process, the leader of its process group. */
export interface MarkedProcess {
  readonly pid: number;
  /** The value of {@link markVariable} in all processes that it has started. */
  readonly mark: string;
}

/** Maximum number of rounds, because processes may start others while they are being killed. */
const mostRounds = 5;

/**
 * Processes that a host has started and that have left its process group, such as detached browsers and daemons. Each
 * needs its own signal.
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
 * Sends a signal to a host, which may be this process, and to all processes that it has started. `known` are processes
 * outside its group found by earlier calls; newly found ones are added.
 */
export function signalTree(
  host: MarkedProcess,
  signal: 'SIGTERM' | 'SIGKILL',
  known: Set<number> = new Set(),
): void {
  if (process.platform === 'win32') {
    // Windows has neither process groups nor a signal for an orderly exit.
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
  // Imported on demand, because every host loads this file at start.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
}

/** Sends a signal to a process group. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!signalQuietly(-leader, signal)) signalQuietly(leader, signal);
}

function killRest(host: MarkedProcess): void {
  for (let round = 0; round < mostRounds; round += 1) {
    // A process stays listed after its end until its parent has waited for it.
    if (!startedOutsideGroup(host).some((pid) => signalQuietly(pid, 'SIGKILL'))) return;
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // It has already ended.
    return false;
  }
}
