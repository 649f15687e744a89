import { AssayError } from '../../errors.js';
import { didYouMean } from '../../text/near-names.js';
import type { Reporter, ReporterTools } from './reporter.js';

/** A requested reporter. */
export type ReporterChoice =
  | { readonly name: 'github' }
  /** Without a file, the document goes to stdout. */
  | { readonly name: 'junit'; readonly file?: string };

const names = ['github', 'junit'];

/** Parses the values of `--reporter`. Errors: `usage` for an unknown reporter, and for two documents on stdout. */
export function parseReporters(
  given: readonly string[],
  { isStdoutTaken }: { readonly isStdoutTaken: boolean },
): ReporterChoice[] {
  const choices = given.map(parseReporter);
  const onStdout = choices.filter((choice) => choice.name === 'junit' && choice.file === undefined);
  if (onStdout.length + (isStdoutTaken ? 1 : 0) > 1 && onStdout.length > 0) {
    throw new AssayError('usage', '--reporter junit is for stdout, where something else goes.', {
      hints: ['Name a file: --reporter junit=junit.xml'],
    });
  }
  return choices;
}

function parseReporter(given: string): ReporterChoice {
  const at = given.indexOf('=');
  const name = at === -1 ? given : given.slice(0, at);
  const file = at === -1 ? undefined : given.slice(at + 1);
  if (name === 'junit' && file !== '') {
    return file === undefined || file === '-' ? { name } : { name, file };
  }
  if (name === 'github' && file === undefined) return { name };
  throw notAReporter(given, name);
}

function notAReporter(given: string, name: string): AssayError {
  const hint = names.includes(name) ? undefined : didYouMean(name, names);
  return new AssayError('usage', `There is no reporter ${JSON.stringify(given)}.`, {
    hints: [...(hint === undefined ? [] : [hint]), 'They are: github, junit, junit=FILE'],
  });
}

/** Creates the requested reporters, and loads only their modules. */
export async function createReporters(
  choices: readonly ReporterChoice[],
  tools: ReporterTools,
): Promise<Reporter[]> {
  return Promise.all(choices.map((choice) => createReporter(choice, tools)));
}

async function createReporter(choice: ReporterChoice, tools: ReporterTools): Promise<Reporter> {
  if (choice.name === 'github') {
    const { githubReporter } = await import('./github.js');
    return githubReporter(tools);
  }
  const { junitReporter } = await import('./junit-document.js');
  return junitReporter(choice.file, tools);
}
