import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtScript } from '../helpers/built-script.js';
import { afterEachTest } from '../helpers/clean-up.js';

const started: ChildProcess[] = [];

afterEachTest(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** What a child printed until it ended, and how it ended. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Child {
  readonly process: ChildProcess;
  /** Resolves when the child has printed this text. */
  says(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** Starts `test/store/children/<name>.ts` in a process of its own, behind something else of the shell when that is given. */
export function startChild(name: string, args: readonly string[], prefix = ''): Child {
  const script = builtScript(new URL(`./children/${name}.ts`, import.meta.url));
  const child = spawn(
    'bash',
    ['-c', `${prefix || 'exec'} "$0" "$@"`, process.execPath, script, ...args],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  started.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += String(data);
  });
  child.stderr.on('data', (data) => {
    err += String(data);
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  return {
    process: child,
    ended,
    says: async (text) => {
      while (!out.includes(text)) {
        const more = once(child.stdout, 'data').then(() => true);
        if (!(await Promise.race([more, ended.then(() => false)])) && !out.includes(text)) {
          throw new Error(`the child ended without "${text}": ${err}`);
        }
      }
    },
  };
}
