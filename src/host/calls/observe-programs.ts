import { unseenProgram } from '../../calls/unseen-program.js';
import { namePattern } from '../../text/name-pattern.js';
import { watchProcesses } from '../child-processes.js';
import type { CallRecord } from './call-record.js';

/** Records a program that the running code starts; `undefined` where nothing is recorded. `blocks`: nothing else runs until it has ended. */
type BeginProgram = (
  name: string,
  blocks: boolean,
) => Pick<CallRecord, 'left' | 'failed'> | undefined;

/** Records programs whose calls are not seen, from now on. Those of `notModels` call no models. */
export function observePrograms(begin: BeginProgram, notModels: readonly string[] = []): void {
  const patterns = notModels.map(namePattern);
  const isKnown = (name: string) => patterns.some((pattern) => pattern.test(name));
  watchProcesses({
    onProgram: (program, blocks) => {
      const name = unseenProgram(program, isKnown);
      const record = name === undefined ? undefined : begin(name, blocks);
      return record && ((error) => endOf(record, error));
    },
  });
}

function endOf(record: NonNullable<ReturnType<BeginProgram>>, error: unknown): void {
  const { code } = (error ?? {}) as { code?: unknown };
  // A program that failed may have made calls before; one that could not be started has made none.
  if (code === 'ENOENT' || code === 'EACCES') record.failed(error);
  else record.left();
}
