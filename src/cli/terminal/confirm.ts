import { createInterface } from 'node:readline';
import { AssayError } from '../../errors.js';
import { exitCode } from '../../model/exit-code.js';

/** Asks for confirmation on stderr; anything but yes is no. Error: `usage` if stdin or stderr is not a terminal. */
export async function confirm(question: string): Promise<boolean> {
  if (!canAsk()) {
    throw new AssayError(
      'usage',
      'This deletes permanently, and there is no terminal to ask for confirmation.',
      {
        hints: ['Pass --yes to delete without confirmation.'],
      },
    );
  }
  const answer = await ask(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}

/** Asks on stderr whether to go on; no answer, or nobody to ask, is yes. */
export async function agree(question: string): Promise<boolean> {
  if (!canAsk()) return true;
  const answer = await ask(`${question} [Y/n] `);
  return !/^n(o)?$/i.test(answer.trim());
}

/** True when stdin and stderr are terminals. */
function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

function ask(text: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once('SIGINT', () => {
      lines.close();
      process.exit(exitCode({ signal: 'SIGINT', gates: [] }));
    });
    // End of input counts as an answer.
    lines.once('close', () => {
      process.stderr.write('\n');
      resolve('');
    });
    lines.question(text, (answer) => {
      lines.removeAllListeners('close');
      lines.close();
      resolve(answer);
    });
  });
}
