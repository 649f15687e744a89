import { countOf, renderCount } from '../../text/count-text.js';
import { isFinished, type RowFacts } from '../result.js';

/** Where the results of a run come from. */
export interface Origins {
  /** Finished in this run, or in an execution of it. */
  readonly ran: number;
  readonly regraded: number;
  readonly carried: number;
  /** Those of them that ran to verify what was carried over; absent for none. */
  readonly verified?: number;
  /** Names of the runs that results were carried over from, in the order of their first row. */
  readonly from: readonly string[];
  /** Names of the runs whose outputs were graded again, in the same order. */
  readonly regradedFrom: readonly string[];
}

/** The rows that an execution has finished. */
export interface Executed {
  readonly indices: Iterable<number>;
  /** Those whose stored output only got a new grade. */
  readonly regraded: ReadonlySet<number>;
}

type OriginRow = Pick<RowFacts, 'origin' | 'status' | 'pruned' | 'verifies' | 'counted'>;

/** Counts the results of a run by where they come from; `undefined` if all are its own. */
export function originsOf(rows: readonly OriginRow[]): Origins | undefined {
  const origins = countOrigins(rows, ({ origin }) => origin?.kind ?? 'ran');
  return origins.regraded + origins.carried === 0 ? undefined : origins;
}

/** Counts what an execution has done; results of earlier ones count only if they were carried over. */
export function executedOrigins(
  rows: readonly OriginRow[],
  { indices, regraded }: Executed,
): Origins {
  const executed = new Set(indices);
  return countOrigins(rows, ({ origin }, index) => {
    if (executed.has(index)) return regraded.has(index) ? 'regraded' : 'ran';
    return origin?.kind === 'carried' ? 'carried' : undefined;
  });
}

type Kind = 'ran' | NonNullable<OriginRow['origin']>['kind'];

function countOrigins(
  rows: readonly OriginRow[],
  kindOf: (row: OriginRow, index: number) => Kind | undefined,
): Origins {
  const counts = { ran: 0, regraded: 0, carried: 0 };
  let verified = 0;
  const from = { ran: new Set<string>(), regraded: new Set<string>(), carried: new Set<string>() };
  for (const [index, row] of rows.entries()) {
    if (row.pruned === true || !isFinished(row)) continue;
    const { origin } = row.verifies === true ? (row.counted ?? row) : row;
    const isVerified = row.verifies === true && origin !== undefined;
    const kind = isVerified ? origin.kind : kindOf(row, index);
    if (kind === undefined) continue;
    counts[kind] += 1;
    if (isVerified) verified += 1;
    if (origin !== undefined) from[kind].add(origin.run_name);
  }
  return {
    ...counts,
    ...(verified > 0 && { verified }),
    from: [...from.carried],
    regradedFrom: [...from.regraded],
  };
}

/**
 * `12 ran`, `3 ran to verify`, `30 regraded`, `219 carried from tidy-maple`; a run that both come from is named once. What is
 * verified is carried, too.
 */
export function originParts(origins: Origins): string[] {
  const { ran, regraded, carried, verified = 0, from, regradedFrom } = origins;
  const where = fromText(from);
  const regradedWhere =
    carried > 0 && fromText(regradedFrom) === where ? '' : fromText(regradedFrom);
  return [
    ...(ran === 0 && verified > 0 ? [] : [`${renderCount(ran)} ran`]),
    ...(verified > 0 ? [`${renderCount(verified)} ran to verify`] : []),
    ...(regraded > 0 ? [`${renderCount(regraded)} regraded${regradedWhere}`] : []),
    ...(carried > 0 ? [`${renderCount(carried)} carried${where}`] : []),
  ];
}

function fromText(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` from ${names.length === 1 ? names[0] : countOf(names.length, 'run')}`;
}
