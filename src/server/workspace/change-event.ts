import type { LightRow } from '../rows/light-row.js';
import type { RunChange } from './change-run.js';

/** What clients are told. */
export type ChangeEvent =
  /** The summary of a run changed. */
  | { readonly type: 'run'; readonly data: RunChange }
  /** Results of a run changed; these are the rows as they are now. */
  | {
      readonly type: 'results';
      readonly data: { readonly run_id: string; readonly rows: readonly LightRow[] };
    }
  /** The set of runs, a name or a figure of a listing changed. */
  | { readonly type: 'sessions'; readonly data: Record<never, never> }
  /** Settings, or the choice of the run config, changed. */
  | { readonly type: 'settings'; readonly data: Record<never, never> };

/** An event as a block of a stream of server-sent events. */
export function renderEvent({ type, data }: ChangeEvent): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
