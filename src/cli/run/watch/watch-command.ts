import { AssayError } from '../../../errors.js';
import { withVariants } from '../run-command.js';
import type { RunCommandOptions } from '../run-command-options.js';
import { type WatchedOptions, WatchSession } from './watch-session.js';

/** Runs `assay run --watch` until somebody quits, and returns its exit code. Error: `usage` for other flags. */
export async function watchCommand(options: WatchedOptions): Promise<number> {
  refuseFlags(options);
  return new WatchSession({ ...options, ...(await withVariants(options)) }).run();
}

/** Why a flag makes no sense with `--watch`. */
const reasons = {
  list: 'it runs nothing',
  shard: 'a part of a run is for machines that run it once',
  redis: 'workers on other machines do not see what you save',
  'fail-under': 'gates set the exit code of a run that ends',
  'fail-over': 'gates set the exit code of a run that ends',
  'fail-on': 'gates set the exit code of a run that ends',
  baseline: 'it is compared with a run that has ended',
  'ignore-errors': 'it is compared with a run that has ended',
  bless: 'a baseline is made of a run that has ended',
  comment: 'it reports a run that has ended',
  reporter: 'it reports a run that has ended',
  output: 'it is written when a run has ended',
  prune: 'results of evaluations that are gone are always left out',
} as const;

/** Error: `usage` for flags that make no sense with `--watch`. */
function refuseFlags({ flags, settings }: RunCommandOptions): void {
  for (const [name, reason] of Object.entries(reasons)) {
    const value = flags[name as keyof typeof reasons];
    if (value !== undefined && value !== false) throw refused(`--${name}`, reason);
  }
  if (settings.effective('redis').value !== null) {
    throw refused('the setting redis', reasons.redis);
  }
}

function refused(what: string, reason: string): AssayError {
  return new AssayError('usage', `--watch cannot be used with ${what}: ${reason}.`);
}
