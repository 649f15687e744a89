import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { unseenProgram } from '../../calls/unseen-program.js';
import { namePattern } from '../../text/name-pattern.js';
import type { CallRecord } from './call-record.js';
import { replaceMethod } from './replace-method.js';

type Method = (this: never, ...given: never[]) => unknown;

/** Records a program that the running code starts; `undefined` where nothing is recorded. `blocks`: nothing else runs until it has ended. */
type BeginProgram = (
  name: string,
  blocks: boolean,
) => Pick<CallRecord, 'left' | 'failed'> | undefined;

/** Records programs whose calls are not seen, from now on. Those of `notModels` call no models. */
export function observePrograms(begin: BeginProgram, notModels: readonly string[] = []): void {
  const patterns = notModels.map(namePattern);
  const isKnown = (name: string) => patterns.some((pattern) => pattern.test(name));
  const beginUnseen = (file: unknown, args: unknown, blocks: boolean) => {
    const texts = Array.isArray(args) ? args.map(String) : [];
    const name = unseenProgram(String(file), texts, isKnown);
    return name === undefined ? undefined : begin(name, blocks);
  };
  replaceMethod(
    childProcess.ChildProcess.prototype as unknown as { spawn: Method },
    'spawn',
    (spawn) =>
      function (this: ChildProcess, ...given: unknown[]): unknown {
        const result = Reflect.apply(spawn as (...given: unknown[]) => unknown, this, given);
        const { file, args } = given[0] as { file?: unknown; args?: unknown[] };
        // It has no id where it could not be started.
        if (this.pid === undefined) return result;
        const record = beginUnseen(file, args?.slice(1), false);
        if (record !== undefined) this.once('exit', () => record.left());
        return result;
      },
  );
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
    replaceMethod(
      childProcess as unknown as Record<typeof name, Method>,
      name,
      (run) =>
        function (this: unknown, ...given: unknown[]): unknown {
          const [file, args] = commandOf(name, given);
          const record = beginUnseen(file, args, true);
          try {
            const result = Reflect.apply(run as (...given: unknown[]) => unknown, this, given);
            endOf(record, (result as { error?: unknown } | null)?.error);
            return result;
          } catch (error) {
            endOf(record, error);
            throw error;
          }
        },
    );
  }
  syncBuiltinESMExports();
}

/** Program and arguments; with a shell, those of the shell. */
function commandOf(name: string, given: readonly unknown[]): [file: unknown, args: unknown] {
  const [file, ...more] = given;
  if (name === 'execSync') return ['sh', ['-c', file]];
  const args = Array.isArray(more[0]) ? more[0] : [];
  const options = more.find(
    (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
  );
  const usesShell = Boolean((options as { shell?: unknown } | undefined)?.shell);
  return usesShell ? ['sh', ['-c', [file, ...args].join(' ')]] : [file, args];
}

function endOf(record: ReturnType<BeginProgram>, error: unknown): void {
  const { code } = (error ?? {}) as { code?: unknown };
  // A program that failed may have made calls before; one that could not be started has made none.
  if (code === 'ENOENT' || code === 'EACCES') record?.failed(error);
  else record?.left();
}
