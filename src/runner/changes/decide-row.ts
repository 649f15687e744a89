import type { EvaluationCode, Piece } from '../../model/code/evaluation-code.js';
import type { CaseFingerprint } from '../../model/code/file-code.js';
import { differingParams } from '../planning/case-fingerprint.js';

/** A row that is planned. */
export interface PlannedRowToday {
  /** Its id, with the trial. */
  readonly id: string;
  readonly evaluation: string;
  /** Absent if its values cannot be told apart from others. */
  readonly fingerprint: CaseFingerprint | undefined;
}

/** Code and surroundings in which a result was run, or graded. */
export interface RanWith {
  /** Absent if unknown. */
  readonly code: EvaluationCode | undefined;
  /** It is unknown because another version of assay has compared code by another rule. */
  readonly isOfOtherRule?: boolean;
  /** Hash of the params; absent if unknown. */
  readonly params: string | undefined;
  /** Names of what its eval file looked at then that is different today. */
  readonly changedReads: readonly string[];
}

/** A result that may be taken over. */
export interface BaseResult {
  readonly index: number;
  /** It has come to its end without an error. */
  readonly isCompleted: boolean;
  /** It is an error of its own making: running it again is a second draw. */
  readonly isErrorThatCounts?: boolean | undefined;
  readonly fingerprint: CaseFingerprint | undefined;
  readonly ran: RanWith;
  readonly graded: RanWith;
  /** Its stored output is exactly what the target made. */
  readonly isExact: boolean;
  /** What its code was seen to do that no fingerprint follows. */
  readonly hazard?: string | undefined;
  /** The run records, and calls of the result are not recorded. Default: false. */
  readonly lacksRecordings?: () => boolean;
}

/** A run whose results may be taken over. */
export interface BaseRun {
  readonly run_id: string;
  readonly run_name: string;
  /** The result of a row, by its id with the trial. */
  find(id: string): BaseResult | undefined;
  /** The run that really ran the target of a result: this one, or the one it took the result over from. */
  originOf(index: number): Pick<BaseRun, 'run_id' | 'run_name'>;
}

/** The code and params of today. */
export interface Today {
  readonly params: string;
  codeOf(evaluation: string): EvaluationCode | undefined;
  /** Why a row runs that no base has. */
  readonly withoutBase: string;
}

/** What is to be done with a row. */
export type Decision =
  | {
      readonly action: 'run';
      readonly reason: string;
      /** Nothing is known to be different; but neither that nothing is. */
      readonly isUncertain?: true;
      /** What depends on the code that has changed; absent where that is not code. */
      readonly changed?: 'target' | 'grading';
      /** Why it is not only graded again, although only grading has changed: a clause without its subject. */
      readonly notRegraded?: string;
    }
  | {
      readonly action: 'regrade';
      readonly reason: string;
      readonly from: BaseRun;
      readonly index: number;
    }
  /** Nothing has changed, but it is an error: that goes on counting, and the row runs again to see whether it stays. */
  | {
      readonly action: 'repeat';
      readonly reason: string;
      readonly from: BaseRun;
      readonly index: number;
    }
  | { readonly action: 'carry'; readonly from: BaseRun; readonly index: number };

/** Why rows run or are graded again, by their index in the run. `indexOf`: that of the row of a decision. */
export function reasonsOf(
  decisions: readonly Decision[],
  indexOf: (at: number) => number | undefined = (at) => at,
): ReadonlyMap<number, string> {
  const reasons = new Map<number, string>();
  for (const [at, decision] of decisions.entries()) {
    const index = indexOf(at);
    if (index !== undefined && decision.action !== 'carry') reasons.set(index, decision.reason);
  }
  return reasons;
}

/**
 * Decides for each row whether it runs, or what of earlier runs makes that unnecessary. A base is taken only if nothing
 * that could make a difference is different; if that is not certain, the row runs. Of several, the oldest is taken:
 * taking the newest would let somebody run until it passes. `bases`: the newest first.
 */
export function decideRow(row: PlannedRowToday, bases: Iterable<BaseRun>, today: Today): Decision {
  let oldest: Decision | undefined;
  let regrade: Decision | undefined;
  let run: Decision | undefined;
  let isOfOtherParams = false;
  for (const from of bases) {
    const base = from.find(row.id);
    if (base === undefined) continue;
    const found = judge(row, base, today);
    const { index } = base;
    if (found.action === 'carry' || found.action === 'repeat') oldest = { ...found, from, index };
    else if (found.action === 'regrade') regrade ??= { ...found, from, index };
    else if (run === undefined || (isOfOtherParams && base.ran.params === today.params)) {
      // What has changed since a run with the same params says more than that another has others.
      run = { ...found, action: 'run' };
      isOfOtherParams = base.ran.params !== today.params;
    }
    // Older results cannot be had for less, or not with this code.
    if (today.codeOf(row.evaluation)?.hazard !== undefined) break;
  }
  return oldest ?? regrade ?? run ?? { action: 'run', reason: today.withoutBase };
}

type Comparison =
  | { readonly action: 'carry' }
  | { readonly action: 'repeat'; readonly reason: string }
  | Extract<Decision, { readonly action: 'run' }>
  | { readonly action: 'regrade'; readonly reason: string };

export const noErrorFree = 'no finished result without an error';

function judge(row: PlannedRowToday, base: BaseResult, today: Today): Comparison {
  const found = compare(row, base, today);
  const isError = base.isErrorThatCounts === true && !base.isCompleted;
  if (found.action !== 'run' && !isError && base.lacksRecordings?.() === true) {
    return { action: 'run', reason: 'its calls are not recorded here' };
  }
  return isError && found.action !== 'run' ? { action: 'repeat', reason: noErrorFree } : found;
}

function compare(row: PlannedRowToday, base: BaseResult, today: Today): Comparison {
  const run = (reason: string): Comparison => ({ action: 'run', reason });
  const uncertain = (reason: string): Comparison => ({ action: 'run', reason, isUncertain: true });
  const code = today.codeOf(row.evaluation);
  const { ran, graded } = base;
  if (code === undefined) return uncertain('its code is not known');
  if (code.hazard !== undefined) return uncertain(code.hazard);
  if (!base.isCompleted && base.isErrorThatCounts !== true) return run(noErrorFree);
  if (ran.isOfOtherRule || graded.isOfOtherRule) {
    return uncertain('its last result is of an assay that compared code by another rule');
  }
  if (ran.code === undefined || graded.code === undefined)
    return uncertain('the code of its last result is not known');
  if (row.fingerprint === undefined) return uncertain('its values are not plain data');
  if (base.fingerprint?.case !== row.fingerprint.case) return run('its case');
  if (ran.params !== today.params) return run(differingParams(ran.params, today.params));
  const [read] = [...ran.changedReads, ...graded.changedReads];
  if (read !== undefined) return run(read);
  const target = differing(ran.code.target, code.target);
  if (target.length > 0) return { action: 'run', reason: namesOf(target), changed: 'target' };
  const grading = differing(graded.code.grading, code.grading);
  if (graded.params !== today.params) {
    grading.unshift(differingParams(graded.params, today.params));
  }
  if (base.fingerprint.grading !== row.fingerprint.grading) grading.unshift('its scores');
  if (grading.length === 0) {
    return base.hazard === undefined ? { action: 'carry' } : uncertain(base.hazard);
  }
  const isClosed = ran.code.isClosed && graded.code.isClosed && code.isClosed;
  const reason = namesOf(grading);
  if (isClosed && base.isExact) return { action: 'regrade', reason };
  const notRegraded = isClosed
    ? 'what is stored may not be all that grading sees'
    : 'grading cannot be told apart from the target';
  return { action: 'run', reason, changed: 'grading', notRegraded };
}

const mostNamed = 3;

function namesOf(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const compared = new WeakMap<readonly Piece[], WeakMap<readonly Piece[], readonly string[]>>();

/** The names of the pieces that differ. Rows of an evaluation share their lists. */
function differing(before: readonly Piece[], after: readonly Piece[]): string[] {
  let ofBefore = compared.get(before);
  if (ofBefore === undefined) {
    ofBefore = new WeakMap();
    compared.set(before, ofBefore);
  }
  const names = ofBefore.get(after) ?? differingPieces(before, after);
  ofBefore.set(after, names);
  return [...names];
}

/** The names of pieces that two versions do not share: those of the second version first, in its order. */
export function differingPieces(before: readonly Piece[], after: readonly Piece[]): string[] {
  const names = new Set([...missingFrom(before, after), ...missingFrom(after, before)]);
  // `graders.ts (politeness)` says all that `graders.ts` would.
  const detailed = new Set([...names].map((name) => name.replace(/ \(.*\)$/, '')));
  return [...names].filter((name) => name.endsWith(')') || !hasDetail(name, names, detailed));
}

function missingFrom(known: readonly Piece[], pieces: readonly Piece[]): string[] {
  const keys = new Set(known.map(keyOf));
  return pieces.filter((piece) => !keys.has(keyOf(piece))).map(([name]) => name);
}

function keyOf(piece: Piece): string {
  return piece.join('\0');
}

function hasDetail(name: string, names: ReadonlySet<string>, detailed: ReadonlySet<string>) {
  return detailed.has(name) && [...names].some((other) => other.startsWith(`${name} (`));
}
