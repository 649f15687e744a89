import { exitCode } from '../../model/exit-code.js';
import type { ExecutionOutcome } from '../../runner/execution.js';
import type { Started } from '../../runner/runner.js';

/** How an execution ended. */
export interface Done {
  readonly outcome: ExecutionOutcome;
  /** The signal that stopped it. */
  readonly signal?: 'SIGINT' | 'SIGTERM';
}

/** Waits for an execution. The first signal stops it in order, the second ends the process at once. */
export async function untilDone(
  { execution, finished }: Started,
  output: { note(text: string): void; end(): void },
): Promise<Done> {
  let first: 'SIGINT' | 'SIGTERM' | undefined;
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => {
    if (first !== undefined) {
      output.end();
      process.exit(exitCode({ signal: first, gates: [] }));
    }
    first = signal;
    output.note('Stopping; what has finished is saved. Ctrl-C again ends it at once.');
    execution.stop();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    const outcome = await finished;
    return { outcome, ...(first === undefined ? {} : { signal: first }) };
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
