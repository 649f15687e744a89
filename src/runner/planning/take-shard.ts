import { hashPlan, type Shard } from '../../model/shard.js';
import type { Descriptor } from '../../protocol/messages.js';
import type { ResolvedRunConfig } from '../../settings/resolve-run-config.js';
import { shortHash } from '../../text/short-hash.js';
import type { RunRequest } from '../discovery/discover.js';
import { type PlannedTrial, planRows, trialsOf } from './plan-rows.js';

/** The selected evaluations of a run, and their code. */
interface Whole {
  readonly evaluations: readonly Descriptor[];
  readonly code: string | undefined;
}

interface TakeOptions {
  readonly request: RunRequest;
  readonly config: ResolvedRunConfig;
  /** Seconds that a trial of a case takes, by case id. */
  readonly latencies?: ReadonlyMap<string, number> | undefined;
}

/** The evaluations of a run. */
interface Taken {
  readonly evaluations: readonly Descriptor[];
  /** Present if they are a part of a whole. */
  readonly shard?: Shard;
}

/**
 * Takes the requested part of a run, or all of it. A part has every `of`-th case or, with latencies of some
 * cases, as many neighbours as take about as long as those of the other parts. Either way, the order of the whole
 * follows from the parts alone.
 */
export function takeShard(
  { evaluations, code }: Whole,
  { request, config, latencies }: TakeOptions,
): Taken {
  if (request.shard === undefined) return { evaluations };
  const { part, of } = request.shard;
  const weights = weightsOf(evaluations, config, latencies);
  const shard: Shard = {
    part,
    of,
    cases: evaluations.length,
    plan: hashPlan(idsOf(planRows(evaluations, config.trials))),
    config: shortHash(JSON.stringify(configOf(config))),
    ...(code !== undefined && { code }),
    ...(weights && { balance: shortHash(JSON.stringify(weights)) }),
  };
  const partOf = weights === undefined ? (at: number) => at % of : balanced(weights, of);
  return { evaluations: evaluations.filter((_, at) => partOf(at) === part - 1), shard };
}

/** The seconds that each case takes; a case without latency takes the mean of the others. */
function weightsOf(
  evaluations: readonly Descriptor[],
  config: ResolvedRunConfig,
  latencies: ReadonlyMap<string, number> | undefined,
): number[] | undefined {
  const known = evaluations.map(({ id }) => latencies?.get(id));
  const found = known.filter((seconds) => seconds !== undefined);
  const sum = found.reduce((all, seconds) => all + seconds, 0);
  if (sum === 0) return undefined;
  return evaluations.map(
    (one, at) => (known[at] ?? sum / found.length) * trialsOf(one, config.trials),
  );
}

/** The part of each case by its place on the time line of the whole. */
function balanced(weights: readonly number[], of: number): (at: number) => number {
  const total = weights.reduce((all, weight) => all + weight, 0);
  let before = 0;
  const parts = weights.map((weight) => {
    const middle = before + weight / 2;
    before += weight;
    return Math.min(of - 1, Math.floor((middle / total) * of));
  });
  return (at) => parts[at] ?? 0;
}

function* idsOf(rows: Iterable<PlannedTrial>): Generator<string> {
  for (const { id } of rows) yield id;
}

/** What results depend on; not what limits speed and cost, which may differ between machines. */
function configOf(config: ResolvedRunConfig) {
  const { name, params, timeout, trials, scoreRules } = config;
  const { recordings, ...calls } = config.calls;
  return {
    ...{ name, params, timeout, trials, scoreRules, calls },
    recordings: recordings && { mode: recordings.mode, normalize: recordings.normalize },
  };
}
