import { resolve } from 'node:path';
import { fileOf, type ResultEntry } from '../../model/result.js';
import { countOf } from '../../text/count-text.js';
import { relativePath } from '../../text/file-path.js';
import { placeOfError } from '../report/evaluation-error.js';
import { lineOf, placeOfAssertion } from './evaluation-place.js';
import { type FailedEvaluation, failedEvaluations } from './failed-evaluations.js';
import type { Annotation } from './github-command.js';
import type { ReportedOutcome } from './reporter.js';
import { reasonOf, valueText } from './result-reason.js';

/** GitHub shows at most this many per kind and step. */
const mostAnnotations = 10;
const longestValue = 500;

/** Base folders of paths. */
interface Folders {
  /** The working directory of the run. */
  readonly cwd: string;
  /** The root of the repository. */
  readonly root: string;
}

/** Annotations for failed cases, at most ten, and a notice that counts the others. */
export function annotate(outcome: ReportedOutcome, folders: Folders): Annotation[] {
  const failed = failedEvaluations(outcome);
  const shown = failed.slice(0, mostAnnotations).map((one) => toAnnotation(one, outcome, folders));
  const left = failed.length - shown.length;
  if (left <= 0) return shown;
  const message = `${countOf(left, 'more case')} failed.`;
  return [...shown, { level: 'notice', title: outcome.run.header.run_name, message }];
}

function toAnnotation(
  { index, name, trials, passed, hasRegressed }: FailedEvaluation,
  { run }: ReportedOutcome,
  { cwd, root }: Folders,
): Annotation {
  const entry = run.entry(index);
  const thrown = placeOfError(entry.result.error ?? '', cwd) ?? placeOfAssertion(entry);
  const counts = trials > 1 ? `: ${passed} of ${trials} trials passed` : '';
  return {
    // A flaky case may have failed by chance.
    level: passed > 0 && !hasRegressed ? 'warning' : 'error',
    title: `${name}${hasRegressed ? ' regressed' : ''}${counts}`,
    message: [reasonOf(entry) || 'failed', ...valueTexts(entry)].join('\n'),
    file: relativePath(root, resolve(cwd, thrown?.file ?? fileOf(entry))),
    line: thrown?.line ?? lineOf(run, index),
  };
}

/** The actual and the expected output. */
function valueTexts({ result: { status, output, reference } }: ResultEntry): string[] {
  const hasOutput = status !== 'error' || output !== null;
  return [
    ...(hasOutput ? [`output: ${valueText(output, longestValue)}`] : []),
    ...(reference === null ? [] : [`expected: ${valueText(reference, longestValue)}`]),
  ];
}
