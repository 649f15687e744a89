import type { Hook } from '@oclif/core';
import { didYouMean } from '../model/near-names.js';
import { coloursFor } from './colour.js';
import { escapeTerminal } from './terminal-text.js';
import { withoutSecrets } from './without-secrets.js';

/** Told by oclif about a command that does not exist: names the nearest one and exits with 2. */
const commandNotFound: Hook<'command_not_found'> = async ({ id, config }) => {
  const spoken = (command: string) => command.replaceAll(':', ' ');
  const suggestion = didYouMean(spoken(id), config.commandIDs.map(spoken));
  const text = escapeTerminal(withoutSecrets(`✗ There is no command assay ${spoken(id)}.`));
  process.stderr.write(`${coloursFor('stderr').red(text)}\n`);
  process.stderr.write(`  ${suggestion ?? 'Commands: assay --help'}\n`);
  process.exit(2);
};

// oclif takes the default export.
export default commandNotFound;
