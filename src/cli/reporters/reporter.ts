import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { cutText } from '../../model/preview.js';
import type { Json, ResultEntry } from '../../model/result.js';
import type { Score } from '../../model/scores/score.js';
import { missText } from '../../model/scores/score-rule.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf, countOfAll } from '../../text/count-text.js';
import { renderNumber } from '../../text/number-text.js';
import { errorHeading } from '../report/evaluation-error.js';

/** How a run compares with its baseline. */
export interface ReportedComparison {
  /** For a job summary. */
  readonly markdown: string;
  /** Ids of cases that pass less often than before, most important first. */
  readonly regressed: readonly string[];
}

export interface ReportedOutcome {
  readonly run: StoredRun;
  /** The verdicts of the gates; empty for a stopped run. */
  readonly verdicts: readonly GateVerdict[];
  /** The comparison with the baseline, if any. */
  readonly comparison: ReportedComparison | undefined;
  /** Present for some results of a saved run: how many it has, and what chose them. */
  readonly part?: { readonly of: number; readonly chosenBy: string } | undefined;
  /** All results were found to be up to date, whatever the version of their code. Default false. */
  readonly isUpToDate?: boolean | undefined;
}

/** The outcome of runs of one command. */
export interface ReportedGroup {
  readonly name: string;
  readonly outcomes: readonly ReportedOutcome[];
  /** Verdicts on the group, beside those on its runs. Default: none. */
  readonly verdicts?: readonly GateVerdict[];
  /** The table of its variants, for a job summary. */
  readonly markdown: string;
}

/** The parts of the process that a reporter may use. */
export interface ReporterTools {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** Prints whole lines on stderr, which a CI service also reads. */
  print(text: string): void;
}

/** Reports the outcome of a run to a CI service, in addition to the terminal. */
export interface Reporter {
  /** Checks before anything runs that reporting will be possible. Errors: `storage-unusable`. */
  check(): Promise<void>;
  /** Takes back what an earlier command has reported to a file, in case this one ends without an outcome. */
  begin?(): Promise<void>;
  /** Errors: `storage-full`, `storage-unusable`. */
  report(outcome: ReportedOutcome): Promise<void>;
  /** Reports runs of one command, that of the base first. Errors as {@link report}. */
  reportGroup(group: ReportedGroup): Promise<void>;
}

/** `none` without gates; `unknown` if none fails and one cannot be judged, or results are not finished. */
export type OutcomeVerdict = 'passed' | 'failed' | 'unknown' | 'none';

export function verdictOf(
  verdicts: readonly Pick<GateVerdict, 'verdict'>[],
  unfinished: number,
): OutcomeVerdict {
  if (verdicts.some(({ verdict }) => verdict === 'no')) return 'failed';
  if (verdicts.some(({ verdict }) => verdict === 'cannot-tell') || unfinished > 0) return 'unknown';
  return verdicts.length > 0 ? 'passed' : 'none';
}

/** The number of results: `4 of 8 results` for a part. */
export function resultsText({ run, part }: Pick<ReportedOutcome, 'run' | 'part'>): string {
  const { total_evaluations: all } = run.summary().totals;
  return part === undefined ? countOf(all, 'result') : countOfAll(all, part.of, 'result');
}

/** What the gates of one or several runs together say, and how many of their results are not finished. */
export function judgedTogether({
  outcomes,
  verdicts: ofGroup = [],
}: Pick<ReportedGroup, 'outcomes' | 'verdicts'>) {
  const verdicts = [...outcomes.flatMap((one) => one.verdicts), ...ofGroup];
  const unfinished = outcomes.reduce((sum, { run }) => sum + run.summary().unfinished, 0);
  return { verdicts, unfinished };
}

const longestReason = 500;

/** The reason why a result did not pass, in a line or two: its error, or its failed scores with their notes. */
export function reasonOf({ result }: ResultEntry): string {
  if (result.status === 'error') return cutText(errorHeading(result.error ?? ''), longestReason);
  const failed = result.scores.filter((score) => score.passed === false);
  const texts = failed.map((score) => failureText(score, score.key));
  return cutText(texts.join('; '), longestReason);
}

/** A failed score: `failed`, or how its value misses its threshold, and its notes. */
export function failureText(score: Score, failed: string): string {
  const missed = missText(score, renderNumber);
  const text = missed === undefined ? failed : `${score.key} ${missed}`;
  return score.notes === undefined ? text : `${text}: ${score.notes}`;
}

/** A value as text of at most `length` characters: a string unchanged, anything else as JSON. */
export function valueText(value: Json, length: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= length ? text : `${cutText(text, length)}…`;
}
