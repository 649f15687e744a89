import { createInterface } from 'node:readline';
import { AssayError } from '../../errors.js';
import { exitCode } from '../../model/exit-code.js';

/**
 * Asks on stderr before something is lost; anything but yes is no. Error: `usage` when there is nobody to ask,
 * that is when stdin or stderr is no terminal.
 */
export async function confirm(question: string): Promise<boolean> {
  if (!canAsk()) {
    throw new AssayError('usage', 'This deletes for good, and there is no terminal to ask on.', {
      hints: ['Say --yes to delete without being asked.'],
    });
  }
  const answer = await ask(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}

/** True when there is somebody who can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

function ask(text: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once('SIGINT', () => {
      lines.close();
      process.exit(exitCode({ signal: 'SIGINT', gates: [] }));
    });
    // The end of the input is an answer as well.
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
