import type { Hook } from '@oclif/core';
import { didYouMean, nearNames } from '../text/near-names.js';
import type { ShownError } from './known-error.js';
import { coloursFor } from './terminal/colour.js';
import { forStdout, withoutSecrets } from './terminal/screen-text.js';
import { escapeTerminal } from './terminal/terminal-text.js';

/** oclif hook for an unknown command: suggests the nearest one and exits with 2. */
const commandNotFound: Hook<'command_not_found'> = async ({ id, config, argv }) => {
  const spoken = (command: string) => command.replaceAll(':', ' ');
  const commands = config.commandIDs.map(spoken);
  const words = spoken(id).split(' ');
  const message = withoutSecrets(`There is no command assay ${words.join(' ')}.`);
  const near = didYouMean(words.join(' '), commands) ?? suggestLast(words, commands);
  const hint = near ?? 'Commands: assay --help';
  if (argv?.includes('--json') === true) {
    const error: ShownError = { code: 'usage', message, hints: [hint] };
    process.stdout.write(forStdout(`${JSON.stringify({ error }, null, 2)}\n`, true));
  }
  process.stderr.write(`${coloursFor('stderr').red(escapeTerminal(`✗ ${message}`))}\n  ${hint}\n`);
  process.exit(2);
};

/**
 * Suggests a command by its last word, such as `sessions bless` for `bless`, when the topic is missing or arguments
 * follow.
 */
function suggestLast(
  [first = '']: readonly string[],
  commands: readonly string[],
): string | undefined {
  const lastOf = (command: string) => command.split(' ').at(-1) ?? '';
  const near = new Set(nearNames(first, commands.map(lastOf)));
  const meant = commands.filter((command) => near.has(lastOf(command)));
  return meant.length === 0 ? undefined : `Did you mean ${meant.join(' or ')}?`;
}

// oclif expects a default export.
export default commandNotFound;
