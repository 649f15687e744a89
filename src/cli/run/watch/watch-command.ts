import { refuseFlags } from './refuse-flags.js';
import { type WatchedOptions, WatchSession } from './watch-session.js';

/** Runs `assay run --watch` until somebody quits, and returns its exit code. Error: `usage` for other flags. */
export async function watchCommand(options: WatchedOptions): Promise<number> {
  refuseFlags(options);
  return new WatchSession(options).run();
}
