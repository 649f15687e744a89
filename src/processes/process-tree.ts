import { readdirSync, readFileSync } from 'node:fs';

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
  const isAlone = hasStartedNone(host.pid);
  if (!isAlone) for (const pid of startedOutsideGroup(host)) known.add(pid);
  if (!isOwn) signalGroup(host.pid, signal);
  for (const pid of known) signalQuietly(pid, signal);
  if (signal === 'SIGKILL' && !isAlone) killRest(host);
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

/**
 * True if a process is alive and has certainly never started another one: it has no children, and none that it has waited
 * for used memory, as every process does. Most hosts start none, and reading the table of all processes takes long. Only
 * Linux tells.
 */
export function hasStartedNone(pid: number): boolean {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const children = threads.map((id) =>
    attempt(() => readFileSync(`/proc/${pid}/task/${id}/children`, 'latin1')),
  );
  // After the children: one that ends meanwhile counts here, and a process that has ended has lost its children.
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = 'X'] = fields;
  const faultsOfChildren = fields[8];
  const isAlive = threads.length > 0 && !'ZXx'.includes(state);
  return isAlive && children.every((list) => list === '') && faultsOfChildren === '0';
}

/** A process in the process table of the system. */
interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** True if its initial environment is readable and contains the mark. */
  readonly isMarked: boolean;
}

/** All visible processes, from `/proc`, or else from `ps`. Empty on Windows. */
function processTable(mark: string): ProcessEntry[] {
  if (process.platform === 'win32') return [];
  const entries = tableFromProc(mark);
  return entries.length > 0 ? entries : tableFromPs(mark);
}

function tableFromProc(mark: string): ProcessEntry[] {
  const names = attempt(() => readdirSync('/proc')) ?? [];
  return names.flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = attempt(() => readFileSync(`/proc/${name}/stat`, 'latin1'));
    if (stat === undefined) return [];
    // The program name before the numbers may contain any character.
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const environment = attempt(() => readFileSync(`/proc/${name}/environ`, 'latin1')) ?? '';
    const isMarked = hasMark(environment, mark);
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), isMarked }];
  });
}

/** The same from `ps`, which prints the environment after the command. */
export function tableFromPs(mark: string): ProcessEntry[] {
  const all = process.platform === 'darwin' ? '-axEww' : 'axeww';
  const args = [all, '-o', 'pid=,ppid=,pgid=,command='];
  const options = { encoding: 'latin1', maxBuffer: 64 * 1024 * 1024, timeout: 5000 } as const;
  // Imported on demand, because every host loads this file at start.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const text = spawnSync('ps', args, options).stdout ?? '';
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group, command = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s(.*)/.exec(line) ?? [];
    if (pid === undefined) return [];
    const isMarked = hasMark(command, mark);
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), isMarked }];
  });
}

/** An empty mark matches no process. */
function hasMark(text: string, mark: string): boolean {
  return mark !== '' && text.includes(mark);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // It has just ended, or it belongs to another user.
    return undefined;
  }
}
