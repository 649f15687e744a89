import { readdirSync, readFileSync } from 'node:fs';

/** A process in the process table of the system. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** True if its initial environment is readable and contains the mark. */
  readonly isMarked: boolean;
}

/** All visible processes, from `/proc`, or else from `ps`. Empty on Windows. */
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
