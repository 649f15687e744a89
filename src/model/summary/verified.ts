import { fairCoinTails } from '../../statistics/half-binomial.js';
import { holm } from '../../statistics/holm.js';
import { chanceLevel, pText } from '../../text/chance-text.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { figureText } from '../../text/number-text.js';
import type { Usage } from '../calls/usage.js';
import { isCount, isNumber } from '../json.js';
import { caseIdOf, hasVerdict, isDraw, passes, type RowFacts } from '../result.js';
import { type Fitting, isFlag, isText, listOf, object, optional } from '../shapes.js';

const isScoreValue = (value: unknown): value is number | boolean | null =>
  value === null || isFlag(value) || isNumber(value);

/** The values of a score, or its verdicts where it has none; `null` where it was not given. */
const isDifferingScore = object({ key: isText, carried: isScoreValue, now: isScoreValue });
type DifferingScore = Fitting<typeof isDifferingScore>;

const isWronglyCarried = object({
  id: isText,
  /** `pass`, `fail`, `error` or `no verdict`; the same where only outputs or scores differ. */
  carried: isText,
  now: isText,
  /** The scores that differ; absent for none. */
  scores: optional(listOf(isDifferingScore)),
});

/** A carried result whose new draw differs although nothing that is left to chance made it. */
export interface WronglyCarried extends Fitting<typeof isWronglyCarried> {}

/** An evaluation whose carried results and new draws pass at rates that differ beyond chance. */
const isDifferingRate = object({
  evaluation: isText,
  /** The number that passed, of those that ran again. */
  carried: isCount,
  now: isCount,
  of: isCount,
  /** Exact sign test over cases, or clusters of them, adjusted by Holm for the evaluations that are tested. */
  p: isNumber,
});
type DifferingRate = Fitting<typeof isDifferingRate>;

export const isVerified = object({
  /** The carried results of the run, these included. */
  carried: isCount,
  results: isCount,
  /** Those that have the same verdict, and the same output and scores where no model was called. */
  agree: isCount,
  /** Those that have not come to an end of their own; absent for none. */
  unknown: optional(isCount),
  /** Those that ran once more since, so that what verified them is not the newest draw; absent for none. */
  replaced: optional(isCount),
  /** The number of `wrong`, of which only the first are listed; absent for none. */
  differ: optional(isCount),
  wrong: optional(listOf(isWronglyCarried)),
  /** Absent for none. */
  rates: optional(listOf(isDifferingRate)),
});

/** What came of carried results that ran again to verify them. */
export interface Verified extends Fitting<typeof isVerified> {}

const mostListed = 20;

/** Compares carried results with their new draws; `undefined` where none was to run again. */
export function verifiedOf(rows: Iterable<RowFacts>): Verified | undefined {
  const counts = { carried: 0, results: 0, agree: 0, unknown: 0, replaced: 0, differ: 0 };
  const wrong: WronglyCarried[] = [];
  const byChance = new Map<string, RowFacts[]>();
  for (const row of rows) {
    const { counted, pruned } = row;
    if (pruned === true) continue;
    if ((row.verifies ? counted : row)?.origin?.kind === 'carried') counts.carried += 1;
    if (!row.verifies || counted === undefined) continue;
    counts.results += 1;
    if (row.verifies === 'replaced') {
      counts.replaced += 1;
      continue;
    }
    if (!isDraw(row)) {
      counts.unknown += 1;
      continue;
    }
    const verdicts = { carried: verdictOf(counted), now: verdictOf(row) };
    const isCorrected = counted.scores.some(({ source }) => source === 'human');
    const isSame = isCorrected || verdicts.carried === verdicts.now;
    const scores = isCorrected ? [] : differingScores(counted, row);
    if (callsModel(row.usage) || callsModel(counted.usage)) {
      const ofEvaluation = byChance.get(row.evaluation) ?? [];
      byChance.set(row.evaluation, ofEvaluation);
      if (!isCorrected) ofEvaluation.push(row);
      if (isSame) counts.agree += 1;
    } else if (isSame && scores.length === 0 && isSameOutput(row, counted)) counts.agree += 1;
    else {
      counts.differ += 1;
      const differing = scores.length > 0 && { scores };
      if (wrong.length < mostListed) wrong.push({ id: row.id, ...verdicts, ...differing });
    }
  }
  if (counts.results === 0) return undefined;
  const { carried, results, agree, unknown, replaced, differ } = counts;
  const rates = differingRates(byChance);
  return {
    ...{ carried, results, agree },
    ...(unknown > 0 && { unknown }),
    ...(replaced > 0 && { replaced }),
    ...(differ > 0 && { differ, wrong }),
    ...(rates.length > 0 && { rates }),
  };
}

function verdictOf(row: RowFacts): string {
  if (row.status === 'error') return 'error';
  if (!hasVerdict(row)) return 'no verdict';
  return passes(row) ? 'pass' : 'fail';
}

function isSameOutput({ outputHash: a }: RowFacts, { outputHash: b }: RowFacts): boolean {
  return a === undefined || b === undefined || a === b;
}

/** Notes do not count: they are words about a grade. */
function differingScores(carried: RowFacts, now: RowFacts): DifferingScore[] {
  const keys = new Set([...carried.scores, ...now.scores].map(({ key }) => key));
  return [...keys].flatMap((key): DifferingScore[] => {
    const [before, after] = [carried, now].map((row) => row.scores.find((one) => one.key === key));
    if (before?.value !== after?.value) {
      return [{ key, carried: before?.value ?? null, now: after?.value ?? null }];
    }
    if (before?.passed === after?.passed) return [];
    return [{ key, carried: before?.passed ?? null, now: after?.passed ?? null }];
  });
}

/** True if something answered that may answer differently each time: a model, or a program that may call one. */
function callsModel(usage: Usage | undefined): boolean {
  if (usage === undefined) return false;
  return usage.calls > (usage.replayed ?? 0) || (usage.programs ?? 0) > 0;
}

function differingRates(byEvaluation: ReadonlyMap<string, readonly RowFacts[]>): DifferingRate[] {
  const rates = [...byEvaluation].map(([evaluation, rows]) => {
    const pairs = rows.flatMap((row) => (row.counted === undefined ? [] : [[row.counted, row]]));
    const passedAt = (at: 0 | 1) => pairs.filter((pair) => isPass(pair[at])).length;
    const figures = { carried: passedAt(0), now: passedAt(1), of: pairs.length };
    return { evaluation, ...figures, p: pOfSigns(rows) };
  });
  const adjusted = holm(rates.map(({ p }) => p));
  return rates
    .map((rate, at) => ({ ...rate, p: adjusted[at] ?? 1 }))
    .filter(({ p }) => p < chanceLevel);
}

function isPass(row: RowFacts | undefined): boolean {
  return row !== undefined && passes(row);
}

/** Of the signs of differences: trials of a case, and cases of a cluster, are one unit. */
function pOfSigns(rows: readonly RowFacts[]): number {
  const units = new Map<string, number>();
  for (const row of rows) {
    const unit = row.cluster ?? caseIdOf(row);
    const change = Number(isPass(row)) - Number(isPass(row.counted));
    units.set(unit, (units.get(unit) ?? 0) + change);
  }
  const changes = [...units.values()].filter((change) => change !== 0);
  const { lower, higher } = fairCoinTails(
    changes.length,
    changes.filter((change) => change > 0).length,
  );
  return Math.min(1, 2 * Math.min(lower, higher));
}

/** A sentence about what was verified. */
interface VerifiedNote {
  readonly text: string;
  /** The result that it is about; absent for several. */
  readonly result?: WronglyCarried;
}

/** `14 of 284 carried ran again: 12 agree, 2 with another verdict of a model`, and one for each that may be carried wrongly. */
export function verifiedNotes(verified: Verified): VerifiedNote[] {
  const { carried, results, agree, unknown = 0, replaced = 0, differ = 0 } = verified;
  const { wrong = [], rates = [] } = verified;
  const other = results - agree - unknown - replaced - differ;
  const parts = [
    `${renderCount(agree)} agree`,
    ...(differ === 0 ? [] : [`${renderCount(differ)} ${differ === 1 ? 'differs' : 'differ'}`]),
    ...(other === 0 ? [] : [`${renderCount(other)} with another verdict of a model`]),
    ...(unknown === 0 ? [] : [`${renderCount(unknown)} without a result`]),
    ...(replaced === 0 ? [] : [`${renderCount(replaced)} ran once more since`]),
  ];
  const more = differ - wrong.length;
  return [
    {
      text: `${renderCount(results)} of ${renderCount(carried)} carried ran again: ${parts.join(', ')}`,
    },
    ...wrong.map((result) => ({ text: wrongText(result), result })),
    ...(more > 0 ? [{ text: `carried wrongly? ${countOf(more, 'more result')}` }] : []),
    ...rates.map((rate) => ({ text: rateText(rate) })),
  ];
}

function wrongText({ id, carried, now, scores = [] }: WronglyCarried): string {
  const other = scores.map((score) => `, ${scoreText(score)}`).join('') || ' with another output';
  const what = `carried ${carried}, now ${now}${carried === now ? other : ''}`;
  return `carried wrongly? ${id}: ${what}, no model was called`;
}

/** `quality 0.85 → 0.42` */
function scoreText({ key, carried, now }: DifferingScore): string {
  const texts = (figure: (value: number) => string) =>
    [carried, now].map((value) => {
      if (typeof value === 'boolean') return value ? 'pass' : 'fail';
      return value === null ? 'none' : figure(value);
    });
  const [before, after] = texts(figureText);
  // What is the same in a few digits differs in the others.
  return `${key} ${(before === after ? texts(String) : [before, after]).join(' → ')}`;
}

function rateText({ evaluation, carried, now, of, p }: DifferingRate): string {
  const counts = `${renderCount(carried)} of ${renderCount(of)} passed as carried, ${renderCount(now)} now`;
  return `carried wrongly? ${evaluation}: ${counts}, p ${pText(p)}`;
}
