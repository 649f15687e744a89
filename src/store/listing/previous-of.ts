import { sharedCases } from './case-sample.js';
import type { ListedRun } from './run-json.js';

/** The least share of the cases of two runs that both must have to be compared without being asked for. */
const leastShared = 0.8;

/** The run that figures are compared with without being asked for, or why there is none. */
export type PreviousRunOrWhy =
  | { readonly run: ListedRun }
  | { readonly run?: never; readonly why: string };

/**
 * The run before: the newest finished one of the session with the same config and params that has at least 80 % of the cases
 * of both; else why there is none: `no earlier run of config nano`. `runs` are those of the session, newest first.
 */
export function previousOf(runs: readonly ListedRun[], runId: string): PreviousRunOrWhy {
  const place = runs.findIndex(({ run_id }) => run_id === runId);
  const run = runs[place];
  // It is in no listing before it starts.
  if (run === undefined) return { why: 'it has not started' };
  const earlier = runs.slice(place + 1);
  const found = earlier.find((other) => areAlike(run, other));
  return found === undefined ? { why: whyNone(run, earlier) } : { run: found };
}

/** Runs that each have the next one as the run before, from a run on, newest first. */
export function* runsBefore(
  runs: readonly ListedRun[],
  run: ListedRun | undefined,
): Generator<ListedRun> {
  for (let one = run; one !== undefined; one = previousOf(runs, one.run_id).run) yield one;
}

function areAlike(run: ListedRun, other: ListedRun): boolean {
  return isWhole(other) && hasSameConfig(run, other) && sharesCases(run, other);
}

/** Finished, and nothing of it was stopped. */
function isWhole({ state, comparable }: ListedRun): boolean {
  return state === 'finished' && comparable?.unfinished === 0;
}

function hasSameConfig(run: ListedRun, other: ListedRun): boolean {
  return (
    run.config_name === other.config_name && run.comparable?.params === other.comparable?.params
  );
}

function sharesCases({ comparable: one }: ListedRun, { comparable: other }: ListedRun): boolean {
  if (one === undefined || other === undefined) return false;
  return sharedCases(one.cases, other.cases) >= leastShared;
}

function whyNone(run: ListedRun, earlier: readonly ListedRun[]): string {
  const named = earlier.filter((other) => isWhole(other) && other.config_name === run.config_name);
  const none = `no earlier run of config ${run.config_name}`;
  if (named.length === 0) return none;
  return named.some((other) => hasSameConfig(run, other))
    ? `${none} shares ${leastShared * 100} % of the cases`
    : `${none} has the same params`;
}
