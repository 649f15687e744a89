import type { ResultEntry } from '../../model/result.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { renderEvaluationError } from './evaluation-error.js';
import { mostShown, type RunReportOptions } from './report-options.js';

const mostTexts = 5;

/** Renders the first errors in full; identical errors are shown once. */
export function renderErrors(indices: readonly number[], options: RunReportOptions): string[] {
  const { run } = options;
  const all = indices.filter((index) => run.rows[index]?.status === 'error');
  const byText = new Map<string, string[]>();
  for (const index of all.slice(0, mostShown)) {
    const entry = run.entry(index);
    const text = entry.result.error ?? '';
    byText.set(text, [...(byText.get(text) ?? []), nameOf(entry)]);
  }
  const shown = [...byText].slice(0, mostTexts);
  const lines = shown.flatMap(([text, [first = '', ...others]], at) => {
    const also = others.length === 0 ? '' : ` and ${renderCount(others.length)} more like it`;
    const one = renderEvaluationError(`${first}${also}`, text, options);
    return at === 0 ? one : ['', ...one];
  });
  const left = all.length - shown.reduce((sum, [, names]) => sum + names.length, 0);
  return left === 0 ? lines : [...lines, '', `  … ${countOf(left, 'more error')}`];
}

function nameOf({ function: name, trial }: ResultEntry): string {
  return trial === undefined ? name : `${name}, trial ${trial}`;
}
