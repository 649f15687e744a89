import { AssayError } from '../../errors.js';
import type { EmptyFile } from '../../protocol/messages.js';
import { nameText } from '../../text/name-text.js';

const mostNamed = 5;

/** The error for eval files that could be imported, but have no evaluations. */
export class NoEvaluationsError extends AssayError {
  readonly empty: readonly EmptyFile[];

  constructor(empty: readonly EmptyFile[]) {
    super('nothing-selected', textOf(empty), {
      hints: ["Export what evaluation() from 'assay' returns."],
    });
    this.empty = empty;
  }
}

function textOf(empty: readonly EmptyFile[]): string {
  const [only] = empty;
  if (only !== undefined && empty.length === 1) {
    return `${nameText(only.file)} has no evaluations: it ${only.reason}.`;
  }
  const named = empty.slice(0, mostNamed).map(({ file, reason }) => `${nameText(file)} ${reason}`);
  const more = empty.length > mostNamed ? '; …' : '.';
  return `None of these ${empty.length} files has evaluations: ${named.join('; ')}${more}`;
}
