import { renderCount } from '../../text/count-text.js';
import { namesText } from '../../text/usage-text.js';
import { caseIdOf } from '../result.js';
import type { ScoreFacts } from '../scores/score.js';
import { cannotJudge, type GatedRun, type GateVerdict } from './gate-verdict.js';

/** Cases of the base of a run, by id. */
export interface BaseCases {
  /** Those that have a score. */
  having(key: string): ReadonlySet<string>;
  /** Those with a result that is no error, which shows what scores they have. */
  readonly shown: ReadonlySet<string>;
}

/** The errors of an evaluation that gives a score nowhere. */
interface OtherErrors {
  readonly evaluation: string;
  readonly errors: number;
  /** All its results are errors, so that nothing shows that it would not give the score. */
  readonly isUnknown: boolean;
}

/** The errors of the evaluations that give a score, anywhere in the run or in the base. */
export interface OwnErrors {
  readonly count: number;
  /** Their scores of this name: another evaluator has given them, or the one that failed before it did. */
  readonly scored: readonly ScoreFacts[];
}

/** The errors of the evaluations that give a score, and of all others. */
export function sortErrors(key: string, { rows }: GatedRun, base: BaseCases) {
  const left = rows.filter(({ pruned }) => pruned !== true);
  const counted = left.map((row) => row.counted ?? row);
  // A repeat counts for nothing, but shows what scores its evaluation gives.
  const attempts = [...counted, ...left];
  type Row = (typeof counted)[number];
  const inBase = base.having(key);
  const has = ({ scores }: Row) => scores.some((score) => score.key === key);
  const evaluationsOf = (isMeant: (row: Row) => boolean) =>
    new Set(attempts.filter(isMeant).map(({ evaluation }) => evaluation));
  const giving = evaluationsOf((row) => has(row) || inBase.has(caseIdOf(row)));
  const shown = evaluationsOf((row) => row.status === 'completed' || base.shown.has(caseIdOf(row)));
  const scored: ScoreFacts[] = [];
  let count = 0;
  const others = new Map<string, number>();
  for (const row of counted) {
    const { evaluation, scores } = row;
    const own = scores.filter((score) => score.key === key);
    // What a person has judged is not open.
    if (row.status !== 'error' || own.some(({ source }) => source === 'human')) continue;
    if (giving.has(evaluation)) {
      count += 1;
      scored.push(...own);
    } else others.set(evaluation, (others.get(evaluation) ?? 0) + 1);
  }
  const listed = [...others].map(
    ([evaluation, errors]): OtherErrors => ({
      ...{ evaluation, errors, isUnknown: !shown.has(evaluation) },
    }),
  );
  const own: OwnErrors = { count, scored };
  return { own, others: listed };
}

/** A verdict with what it says nothing of. It is none where the score of an evaluation may be lost to its errors. */
export function besideErrors(
  verdict: GateVerdict,
  key: string,
  others: readonly OtherErrors[],
): GateVerdict {
  if (others.length === 0 || verdict.verdict === 'cannot-tell') return verdict;
  const unknown = others.filter(({ isUnknown }) => isUnknown);
  if (verdict.verdict === 'yes' && unknown.length > 0) {
    const give = unknown.length === 1 ? 'it gives' : 'they give';
    const names = namesText(
      unknown.map(({ evaluation }) => nameOf(evaluation)),
      '',
    );
    const why = `all results of ${names} are errors, so it is not known whether ${give} this score (--ignore-errors leaves them out)`;
    return cannotJudge(key, `${why}; ${verdict.text}`);
  }
  const counts = others.map(
    ({ evaluation, errors }) => `${renderCount(errors)} of ${nameOf(evaluation)}`,
  );
  const text = `errors of other evaluations are not judged${namesText(counts)}`;
  return { ...verdict, text: `${verdict.text}; ${text}` };
}

/** The name of an evaluation without its file. */
function nameOf(evaluation: string): string {
  const at = evaluation.indexOf('::');
  return at === -1 ? evaluation : evaluation.slice(at + 2);
}
