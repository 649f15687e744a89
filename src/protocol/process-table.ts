import { readdirSync, readFileSync } from 'node:fs';

/** A process as the system lists it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** True when the mark stands in the environment that it was started with, as far as this user may read that. */
  readonly isMarked: boolean;
}

/** All processes that the system shows: from `/proc`, or from `ps` where there is none. Empty on Windows. */
export function processTable(mark: string): ProcessEntry[] {
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
    // The name of the program, which stands before the numbers, may hold anything.
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const environment = attempt(() => readFileSync(`/proc/${name}/environ`, 'latin1')) ?? '';
    const isMarked = hasMark(environment, mark);
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), isMarked }];
  });
}

/** The same from `ps`, which shows the environment behind the command. */
export function tableFromPs(mark: string): ProcessEntry[] {
  const all = process.platform === 'darwin' ? '-axEww' : 'axeww';
  const args = [all, '-o', 'pid=,ppid=,pgid=,command='];
  const options = { encoding: 'latin1', maxBuffer: 64 * 1024 * 1024, timeout: 5000 } as const;
  // Loaded when it is needed: every host starts with this file.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const text = spawnSync('ps', args, options).stdout ?? '';
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group, command = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s(.*)/.exec(line) ?? [];
    if (pid === undefined) return [];
    const isMarked = hasMark(command, mark);
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), isMarked }];
  });
}

/** No mark is in no process, rather than in all of them. */
function hasMark(text: string, mark: string): boolean {
  return mark !== '' && text.includes(mark);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // It has just ended, or is somebody else's.
    return undefined;
  }
}
