import { countOf, renderCount } from '../../text/count-text.js';
import { isFinished, type RowFacts } from '../result.js';

/** Where the results of a run come from. */
export interface Origins {
  /** Finished in this run. */
  readonly ran: number;
  readonly regraded: number;
  readonly carried: number;
  /** Names of the runs that results were carried over from, in the order of their first row. */
  readonly from: readonly string[];
}

type OriginRow = Pick<RowFacts, 'origin' | 'status' | 'pruned'>;

/** Counts the results of a run by where they come from; `undefined` if all are its own. */
export function originsOf(rows: readonly OriginRow[]): Origins | undefined {
  let [ran, regraded, carried] = [0, 0, 0];
  const from = new Map<string, string>();
  for (const row of rows) {
    const { origin } = row;
    if (row.pruned === true) continue;
    if (origin === undefined) ran += isFinished(row) ? 1 : 0;
    else if (origin.kind === 'regraded') regraded += 1;
    else {
      carried += 1;
      from.set(origin.run_id, origin.run_name);
    }
  }
  if (regraded + carried === 0) return undefined;
  return { ran, regraded, carried, from: [...from.values()] };
}

/** `12 ran`, `30 regraded`, `219 carried from tidy-maple`. */
export function originParts({ ran, regraded, carried, from }: Origins): string[] {
  const [only] = from;
  const where = from.length === 1 ? only : countOf(from.length, 'run');
  return [
    `${renderCount(ran)} ran`,
    ...(regraded > 0 ? [`${renderCount(regraded)} regraded`] : []),
    ...(carried > 0 ? [`${renderCount(carried)} carried from ${where}`] : []),
  ];
}
