import { hash } from 'node:crypto';
import { isUnused, judgeModelsOf, tokensOf, unknownTokens } from '../../model/calls/known-usage.js';
import type { Usage } from '../../model/calls/usage.js';
import {
  caseIdOf,
  countedOf,
  hasVerdict,
  isFinished,
  passes,
  type RowFacts,
} from '../../model/result.js';
import type { ScoreFacts } from '../../model/scores/score.js';
import { isGiven } from '../../model/scores/score-rule.js';
import type { Passes } from '../../statistics/fisher-exact.js';
import { meanOf } from '../../statistics/sums.js';
import {
  type CaseScore,
  type CaseUsage,
  type EvalCase,
  valuesOf,
  verdictsOf,
} from './eval-case.js';

/**
 * Groups the attempts of rows that count into cases, in order of first appearance, without keeping rows. Scores, latencies and
 * usage count for finished trials only. The output hash is that of the common output, or one of all distinct hashes in
 * any order; `null` when one of them is unknown. Without a run id, nothing is known of their attempts, and without `gradingOf`
 * nothing of the code that graded them.
 */
export function casesOf(
  rows: readonly RowFacts[],
  runId?: string,
  gradingOf?: GradingOf,
): EvalCase[] {
  const fold = new CaseGroups(rows.some(hasModelCalls), runId, gradingOf);
  for (const row of rows) fold.add(countedOf(row));
  return fold.folded();
}

/** The hash of the code that graded a row last; `undefined` if unknown. */
type GradingOf = (row: RowFacts) => string | undefined;

type OpenCase = { -readonly [Key in keyof EvalCase]: EvalCase[Key] } & { errors: number };

const noCalls: CaseUsage = { calls: 0, tokens: 0, cost: 0 };

class CaseGroups {
  readonly #hasCalls: boolean;
  readonly #runId: string | undefined;
  readonly #cases = new Map<string, OpenCase>();
  readonly #scores: CaseScores;
  /** All output hashes of the cases whose trials have different outputs. */
  readonly #hashes = new Map<OpenCase, Set<string | null>>();
  /** All latencies of the cases that have several. */
  readonly #latencies = new Map<OpenCase, number[]>();
  /** The scores of each completed trial. */
  readonly #grades = new Map<OpenCase, (readonly ScoreFacts[])[]>();
  /** The draws of the cases that have several trials. */
  readonly #draws = new Map<OpenCase, Draw[]>();

  constructor(
    hasCalls: boolean,
    runId: string | undefined,
    gradingOf: GradingOf = () => undefined,
  ) {
    this.#hasCalls = hasCalls;
    this.#runId = runId;
    this.#scores = new CaseScores(gradingOf);
  }

  add(row: RowFacts): void {
    if (row.pruned === true) return;
    const id = caseIdOf(row);
    let evalCase = this.#cases.get(id);
    if (evalCase === undefined) {
      evalCase = emptyCase(id, row);
      if (this.#hasCalls) evalCase.usage = noCalls;
      this.#cases.set(id, evalCase);
    }
    if (!isFinished(row)) return;
    this.#addHash(evalCase, row.outputHash ?? null);
    this.#addLatency(evalCase, row.latency);
    this.#addDraw(evalCase, row);
    if (evalCase.usage && row.usage) evalCase.usage = withUsage(evalCase.usage, row.usage);
    evalCase.trials += 1;
    if (passes(row)) evalCase.passes += 1;
    if (row.status === 'error') evalCase.errors += 1;
    if (row.status === 'error' || hasVerdict(row)) evalCase.judged += 1;
    if (row.trial_of !== undefined && row.status !== 'error') this.#addGrades(evalCase, row.scores);
    evalCase.scores = mergeScores(
      evalCase.scores,
      row.scores.map((score) => this.#scores.of(score, row)),
    );
  }

  folded(): EvalCase[] {
    for (const [evalCase, grades] of this.#grades) {
      const judged = evalCase.scores.filter((score) => verdictsOf(score) !== undefined);
      if (grades.length > 1 && judged.length > 1) evalCase.grades = grades;
    }
    for (const evalCase of this.#cases.values()) {
      if (!this.#hashes.has(evalCase) && hasAlikeTrials(evalCase)) evalCase.alike = true;
    }
    for (const [evalCase, latencies] of this.#latencies) {
      evalCase.latency = meanOf(latencies);
      evalCase.latencies = latencies.sort((a, b) => a - b);
    }
    for (const [evalCase, draws] of this.#draws) Object.assign(evalCase, drawOfAll(draws));
    for (const [evalCase, hashes] of this.#hashes) evalCase.outputHash = hashOfAll(hashes);
    return [...this.#cases.values()];
  }

  #addGrades(evalCase: OpenCase, scores: readonly ScoreFacts[]): void {
    const known = this.#grades.get(evalCase);
    // The lists are those of the rows.
    if (known === undefined) this.#grades.set(evalCase, [scores]);
    else known.push(scores);
  }

  #addHash(evalCase: OpenCase, outputHash: string | null): void {
    if (evalCase.trials === 0) evalCase.outputHash = outputHash;
    if (outputHash === evalCase.outputHash) return;
    const hashes = this.#hashes.get(evalCase);
    if (hashes === undefined)
      this.#hashes.set(evalCase, new Set([evalCase.outputHash, outputHash]));
    else hashes.add(outputHash);
  }

  #addDraw(evalCase: OpenCase, row: RowFacts): void {
    if (this.#runId === undefined) return;
    const draw = drawOf(row, this.#runId);
    if (evalCase.trials === 0) Object.assign(evalCase, draw);
    else {
      const { draw: first, graded } = evalCase;
      const known = this.#draws.get(evalCase);
      if (known === undefined) this.#draws.set(evalCase, [{ draw: first, graded }, draw]);
      else known.push(draw);
    }
  }

  #addLatency(evalCase: OpenCase, latency: number | null): void {
    if (latency === null) return;
    const known = this.#latencies.get(evalCase);
    if (known !== undefined) known.push(latency);
    else if (evalCase.latency === null) evalCase.latency = latency;
    else this.#latencies.set(evalCase, [evalCase.latency, latency]);
  }
}

/** True for several trials with the same known output, if that is one, and the same scores. */
function hasAlikeTrials({ trials, outputHash, passes, judged, scores }: EvalCase): boolean {
  const isAlike = (of: readonly number[]) => of.every((value) => value === of[0]);
  return (
    trials > 1 &&
    outputHash !== null &&
    (passes === 0 || passes === judged) &&
    scores.every((score) => isAlike(valuesOf(score) ?? []))
  );
}

function hasModelCalls({ usage, pruned }: RowFacts): boolean {
  return usage !== undefined && !isUnused(usage) && pruned !== true;
}

function withUsage(sum: CaseUsage, used: Usage): CaseUsage {
  const { calls, unpriced = 0, cost, programs, replayed } = used;
  const { replayed_cost: recorded = 0, replayed_unpriced: unrecorded = 0 } = used;
  // Calls that failed without a word about tokens used none.
  const tokens = unknownTokens(used) > 0 ? null : (tokensOf(used) ?? 0);
  // What a recording cost is not what the run spent, and nothing is not what the system costs.
  const isKnown = unpriced === 0 && replayed === undefined;
  const known = sumOrNull(sum.cost, isKnown ? cost : null);
  const least = (sum.cost ?? sum.least ?? 0) + (cost ?? 0);
  return {
    calls: sumOrNull(sum.calls, programs === undefined ? calls : null),
    tokens: sumOrNull(sum.tokens, tokens),
    cost: known,
    ...(known === null && least > 0 && { least }),
    ...((sum.replayed || replayed !== undefined) && {
      replayed: true,
      recorded: sumOrNull(
        sum.replayed ? (sum.recorded ?? null) : sum.cost,
        unpriced + unrecorded === 0 && cost !== null ? cost + recorded : null,
      ),
    }),
  };
}

function sumOrNull(one: number | null, two: number | null): number | null {
  return one === null || two === null ? null : one + two;
}

function emptyCase(id: string, row: RowFacts): OpenCase {
  const empty: OpenCase = {
    id,
    function: row.function,
    dataset: row.dataset,
    trials: 0,
    passes: 0,
    judged: 0,
    errors: 0,
    scores: [],
    outputHash: null,
    latency: null,
  };
  if (row.cluster !== undefined) empty.cluster = row.cluster;
  return empty;
}

function hashOfAll(hashes: ReadonlySet<string | null>): string | null {
  const distinct: string[] = [];
  for (const one of hashes) {
    if (one === null) return null;
    distinct.push(one);
  }
  return hash('sha256', JSON.stringify(distinct.sort())).slice(0, 16);
}

/** Converts scores of results to scores of cases. */
class CaseScores {
  // Most scores are one of these; sharing them saves memory in a large run.
  readonly #passed = new Map<string, CaseScore>();
  readonly #failed = new Map<string, CaseScore>();
  /** Of versions, models and code: a list for each, which all scores share. */
  readonly #lists = new Map<string, readonly string[]>();
  readonly #gradingOf: GradingOf;

  constructor(gradingOf: GradingOf) {
    this.#gradingOf = gradingOf;
  }

  /** Converts one score; `undefined` if it has neither verdict nor value. See `CaseScore.kind`. */
  of(score: ScoreFacts, row: RowFacts): CaseScore | undefined {
    const { key, passed, value, rubric_version } = score;
    const models = score.source === 'human' ? undefined : judgeModelsOf(row, key);
    if ((rubric_version ?? models) !== undefined) return this.#judged(score, row, models);
    if (value !== undefined) return withValue(score, value);
    if (passed === undefined) return undefined;
    if (score.source === 'human' || score.asserted) return verdictOf(score);
    const known = passed ? this.#passed : this.#failed;
    let verdict = known.get(key);
    if (verdict === undefined) {
      verdict = verdictOf(score);
      known.set(key, verdict);
    }
    return verdict;
  }

  #judged(
    score: ScoreFacts,
    row: RowFacts,
    models: readonly string[] | undefined,
  ): CaseScore | undefined {
    const { value, passed, rubric_version } = score;
    if (value === undefined && passed === undefined) return undefined;
    const grading = this.#gradingOf(row);
    return {
      ...(value === undefined ? verdictOf(score) : withValue(score, value)),
      ...(rubric_version !== undefined && { rubrics: this.#list([rubric_version]) }),
      ...(models && { models: this.#list(models) }),
      ...(grading !== undefined && { grading: this.#list([grading]) }),
    };
  }

  #list(texts: readonly string[]): readonly string[] {
    const name = texts.join('\0');
    const known = this.#lists.get(name) ?? texts;
    this.#lists.set(name, known);
    return known;
  }
}

/** The verdict of an evaluator comes first, with the value beside it; one that a threshold derived stands beside the value. */
function withValue(score: ScoreFacts, value: number): CaseScore {
  const { key, passed } = score;
  const rule = valueRule(score);
  if (isGiven(score)) return { ...verdictOf(score), values: [value], ...rule };
  const derived = passed === undefined ? {} : { derived: passed ? onePassed : oneFailed };
  return { key, kind: 'value', sum: value, count: 1, ...derived, ...rule };
}

/** What is known of the values of a score. */
function valueRule({ better, scale }: Pick<CaseScore, 'better' | 'scale'>) {
  return { ...(better && { better }), ...(scale && { scale }) };
}

function verdictOf({ key, passed, source, asserted }: ScoreFacts): CaseScore {
  return {
    key,
    kind: 'ratio',
    sum: passed ? 1 : 0,
    count: 1,
    ...(source === 'human' && { human: true }),
    ...(asserted && { asserted }),
  };
}

// Shared to save memory.
const onePassed: Passes = { passes: 1, of: 1 };
const oneFailed: Passes = { passes: 0, of: 1 };

/** Merges the scores of one more trial: each key once, in order of first appearance. */
function mergeScores(
  known: readonly CaseScore[],
  more: readonly (CaseScore | undefined)[],
): readonly CaseScore[] {
  // The usual cases: one trial, or all trials with the same keys in the same order. They avoid a map and spare
  // capacity.
  if (known.length === 0 && isEachOnce(more)) return more;
  if (known.length === more.length && known.every(({ key }, at) => key === more[at]?.key)) {
    return known.map((score, at) => addScore(score, more[at]));
  }
  const all = new Map(known.map((score) => [score.key, score]));
  for (const score of more) {
    if (score === undefined) continue;
    const before = all.get(score.key);
    all.set(score.key, before === undefined ? score : addScore(before, score));
  }
  return [...all.values()];
}

function isEachOnce(scores: readonly (CaseScore | undefined)[]): scores is readonly CaseScore[] {
  return scores.every(
    (score, at) => score !== undefined && scores.findIndex((one) => one?.key === score.key) === at,
  );
}

/** Once an evaluator gave a verdict, `sum` and `count` are over all verdicts; values are kept separately. */
function addScore(one: CaseScore, two: CaseScore | undefined): CaseScore {
  if (two === undefined) return one;
  const { key } = one;
  const values = joined(valuesOf(one), valuesOf(two));
  const derived = addPasses(one.derived, two.derived);
  const rubrics = joinTexts(one.rubrics, two.rubrics);
  const models = joinTexts(one.models, two.models);
  const grading = joinTexts(one.grading, two.grading);
  return {
    key,
    ...counted(one, two),
    ...(isHuman(one, two) ? { human: true } : {}),
    ...(one.asserted && two.asserted ? { asserted: true } : {}),
    ...(derived === undefined ? {} : { derived }),
    ...(values === undefined ? {} : { values }),
    ...valueRule({ better: one.better ?? two.better, scale: one.scale ?? two.scale }),
    ...(rubrics && { rubrics }),
    ...(models && { models }),
    ...(grading && { grading }),
  };
}

function joinTexts(one: CaseScore['rubrics'], two: CaseScore['rubrics']): CaseScore['rubrics'] {
  if (one === undefined || two === undefined || one === two) return one ?? two;
  return [...new Set([...one, ...two])];
}

function isHuman(...scores: readonly CaseScore[]): boolean {
  const given = scores.filter(({ kind }) => kind === 'ratio');
  return given.length > 0 && given.every(({ human }) => human === true);
}

function counted(one: CaseScore, two: CaseScore): Pick<CaseScore, 'kind' | 'sum' | 'count'> {
  if (one.kind === 'value' && two.kind === 'value') {
    return { kind: 'value', sum: one.sum + two.sum, count: one.count + two.count };
  }
  const { passes, of } = addPasses(verdictsOf(one), verdictsOf(two)) ?? noPasses;
  return { kind: 'ratio', sum: passes, count: of };
}

const noPasses: Passes = { passes: 0, of: 0 };

function addPasses(one: Passes | undefined, two: Passes | undefined): Passes | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return { passes: one.passes + two.passes, of: one.of + two.of };
}

function joined(
  one: readonly number[] | undefined,
  two: readonly number[] | undefined,
): readonly number[] | undefined {
  if (one === undefined || two === undefined) return one ?? two;
  return [...one, ...two];
}

/** Identifies the attempts of finished trials. */
type Draw = Pick<EvalCase, 'draw' | 'graded'>;

/** The attempt of a row of a run; empty if unknown. A row that was carried over has that of the run that ran it. */
function drawOf(row: RowFacts, runId: string): Draw {
  const { id, origin, startedAt, code = '', scores } = row;
  if (startedAt === undefined) return {};
  const attempt = JSON.stringify([id, origin?.run_id ?? runId, startedAt]);
  const marks = scores.map(({ key, passed, value, threshold }) => [key, passed, value, threshold]);
  return { draw: digest(attempt), graded: digest(JSON.stringify([attempt, code, marks])) };
}

/** The attempts of several trials, in any order; empty if one of them is unknown. */
function drawOfAll(draws: readonly Draw[]): Draw {
  const joined = (texts: readonly (string | undefined)[]) =>
    texts.includes(undefined) ? undefined : digest([...texts].sort().join());
  return {
    draw: joined(draws.map(({ draw }) => draw)),
    graded: joined(draws.map(({ graded }) => graded)),
  };
}

/**
 * What a case has in common in two runs, if none of its trials is new: the whole `result`, or only the `output`, which
 * was graded again or corrected in between.
 */
export function sharedOf(base: EvalCase, other: EvalCase): 'result' | 'output' | undefined {
  if (base.graded !== undefined && base.graded === other.graded) return 'result';
  return base.draw !== undefined && base.draw === other.draw ? 'output' : undefined;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 12);
}
