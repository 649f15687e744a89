import type { RunChange } from './followed-run.js';

/** The data of a `project` event. */
export interface ProjectChange {
  /** Names of the saved files, relative to the working directory. */
  readonly files: readonly string[];
  /** The number of files that `files` leaves out. */
  readonly more: number;
}

/** An event for clients. */
export type ChangeEvent =
  /** The summary of a run changed. */
  | { readonly type: 'run'; readonly data: RunChange }
  /** These results of a run changed. */
  | {
      readonly type: 'results';
      readonly data: { readonly run_id: string; readonly indices: readonly number[] };
    }
  /** The set of runs, or a name or figure in a listing, changed. */
  | { readonly type: 'sessions'; readonly data: Record<never, never> }
  /** Files of the project were saved, and what they affect has been discovered again. */
  | { readonly type: 'project'; readonly data: ProjectChange }
  /** Settings, or the selected run config, changed. */
  | { readonly type: 'settings'; readonly data: Record<never, never> };

/** Renders an event as a block of a server-sent event stream. */
export function renderEvent({ type, data }: ChangeEvent): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
