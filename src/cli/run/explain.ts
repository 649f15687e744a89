import type { ChalkInstance } from 'chalk';
import { AssayError } from '../../errors.js';
import { caseIdOf } from '../../model/result.js';
import { noErrorFree } from '../../runner/changes/decide-row.js';
import {
  type ExplainedInput,
  type ExplainOptions,
  type Explanation,
  explainedParts,
  explainRows,
} from '../../runner/explain-rows.js';
import type { PlannedTrial } from '../../runner/planning/plan-rows.js';
import { pathInIds } from '../../runner/planning/saved-run-rows.js';
import type { RunnerDependencies } from '../../runner/runner-dependencies.js';
import { countOf } from '../../text/count-text.js';
import { quotedName } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';
import { differenceLines } from '../terminal/difference-lines.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import { decisionJson } from './changed-list.js';

/**
 * Explains a row, and each trial where none is named: by its id, or by the name of its case. Error: `no-such-result`
 * with similar names or the candidates, those of discovering evaluations.
 */
export function explain(
  runner: RunnerDependencies,
  options: ExplainOptions,
  wanted: string,
): Promise<Explanation[]> {
  const { request } = options;
  const isId = wanted.includes('::');
  const id = isId ? pathInIds(wanted, runner.cwd) : wanted;
  // Without the others, only the file of the id is imported.
  const paths = isId && request.paths.length === 0 ? [wanted.replace(/~\d+$/, '')] : request.paths;
  return explainRows(runner, { ...options, request: { ...request, paths } }, (rows) =>
    rowsCalled(rows, id),
  );
}

// Further candidates are only counted.
const mostNamed = 10;

function rowsCalled(rows: readonly PlannedTrial[], id: string): readonly PlannedTrial[] {
  const found = rows.filter((row) => [row.id, caseIdOf(row), row.function].includes(id));
  const cases = [...new Set(found.map(caseIdOf))];
  if (cases.length === 1) return found;
  if (cases.length === 0) {
    const hint = didYouMean(id, new Set(rows.flatMap((row) => [row.id, row.function])));
    throw new AssayError('no-such-result', `There is no case ${quotedName(id)}.`, {
      hints: hint === undefined ? [] : [hint],
    });
  }
  const more = cases.length - mostNamed;
  throw new AssayError(
    'no-such-result',
    `${cases.length} cases are called ${quotedName(id)}: name one by its id.`,
    { hints: [...cases.slice(0, mostNamed), ...(more > 0 ? [`… ${more} more`] : [])] },
  );
}

export function explanationJson({ id, decision, base, inputs }: Explanation): object {
  const { run_id, run_name } = base ?? {};
  const { changed, notRegraded } = decision.action === 'run' ? decision : {};
  return {
    id,
    ...decisionJson(decision),
    ...(changed && { changed }),
    ...(notRegraded && { not_regraded: notRegraded }),
    ...(base && { compared_with: { run_id, run_name } }),
    inputs: inputs.map(({ isWhole, ...input }) => ({ ...input, ...(isWhole && { whole: true }) })),
  };
}

/** What would become of a row, then a line for each part of its fingerprint, and what of it has changed. */
export function renderExplanation(explained: Explanation, colours: ChalkInstance): string {
  const { id, base, inputs } = explained;
  const title = `  ${escapeTerminal(id)}   ${escapeTerminal(sentenceOf(explained))}`;
  if (base === undefined) return title;
  return [title, ...explainedParts.flatMap((part) => partLines(part, inputs, colours))].join('\n');
}

function sentenceOf({ decision, base, origin, inputs }: Explanation): string {
  const since = base?.run_name ?? '';
  switch (decision.action) {
    case 'carry':
      return `is carried from ${origin?.run_name}: nothing has changed`;
    case 'repeat':
      return `runs again: nothing has changed since ${since}, whose error goes on counting`;
    case 'regrade':
      return `is only graded again: ${changedText(decision.reason)} since ${since}, and only its grading depends on that`;
    case 'run': {
      const { reason, isUncertain, changed, notRegraded } = decision;
      const hasChanged = inputs.some((one) => !isSame(one)) && reason !== noErrorFree;
      if (!hasChanged || isUncertain) return `runs: ${reason}`;
      const what = `runs: ${changedText(reason)} since ${since}`;
      if (changed === undefined) return what;
      if (changed === 'target') return `${what}, and its target depends on that`;
      return `${what}. Only its grading depends on that, but ${notRegraded}`;
    }
  }
}

function changedText(reason: string): string {
  const isPlural = /, |^(?:params|its scores|environment variables|recordings)$|^names in /.test(
    reason,
  );
  return `${reason} ${isPlural ? 'have' : 'has'} changed`;
}

function isSame({ state }: ExplainedInput): boolean {
  return state === 'same';
}

function partLines(
  part: ExplainedInput['part'],
  all: readonly ExplainedInput[],
  colours: ChalkInstance,
): string[] {
  const inputs = all.filter((one) => one.part === part);
  const others = inputs.filter((one) => !isSame(one));
  const label = `    ${part.padEnd(8)}  `;
  if (others.length === 0) {
    const summary = escapeTerminal(summaryOf(part, inputs));
    return [`${label}${'same'.padEnd(8)}   ${colours.dim(summary)}`.trimEnd()];
  }
  const width = Math.max(...others.map(({ name = '' }) => name.length));
  return others.flatMap((input, at) => {
    const before = at === 0 ? label : ' '.repeat(label.length);
    const { name = '', state, line } = input;
    const what = escapeTerminal(name.padEnd(Math.min(width, mostPadded)));
    const first = `${before}${state.padEnd(8)}   ${what}  ${colours.dim(hashesOf(input))}`;
    const texts = line === undefined ? [] : differenceLines(line, colours);
    return [first.trimEnd(), ...texts.map((text) => ' '.repeat(label.length + 11) + text)];
  });
}

const mostPadded = 40;
// All of the hash of a case; others are shorter, or texts.
const mostDigits = 32;

function hashesOf({ before, now, state }: ExplainedInput): string {
  const [a, b] = [before, now].map((hash) => hash?.slice(0, mostDigits));
  if (state === 'changed') return `${a} → ${b}`;
  return a ?? b ?? '';
}

const mostWholes = 3;

/** What a part consists of that is all the same. */
function summaryOf(part: ExplainedInput['part'], inputs: readonly ExplainedInput[]): string {
  const names = inputs.flatMap(({ name }) => name ?? []);
  if (part === 'runtime')
    return names.filter((name) => !/^the |NODE_(?:OPTIONS|PATH)/.test(name)).join(', ');
  if (part === 'reads') return names.length === 0 ? '' : countOf(names.length, 'look');
  if (part !== 'target') return '';
  const modules = new Set(names.filter(isModule).map((name) => name.replace(/ \(.*\)$/, '')));
  const packages = names.filter((name) => !isModule(name));
  const wholes = inputs.flatMap(({ isWhole, name }) => (isWhole && name) || []);
  const shown = wholes.slice(0, mostWholes).join(', ');
  const more = wholes.length > mostWholes ? `, ${wholes.length - mostWholes} more` : '';
  return [
    countOf(modules.size, 'module'),
    ...(wholes.length === 0 ? [] : [`${wholes.length} of them whole: ${shown}${more}`]),
    ...(packages.length === 0 ? [] : [countOf(packages.length, 'package')]),
  ].join(', ');
}

/** `name@version` is a package; a module may have an `@` in a folder. */
function isModule(name: string): boolean {
  return !/^(?:@[^/]+\/)?[^/@]+@[^/]+$/.test(name);
}
