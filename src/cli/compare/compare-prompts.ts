import type { ChalkInstance } from 'chalk';
import { structuredPatch } from 'diff';
import { partings } from '../../compare/prompts/compare-prompts.js';
import {
  type PromptDiff,
  promptDiff,
  type RowPair,
  readRequests,
  stepOf,
} from '../../compare/prompts/prompt-diff.js';
import { AssayError } from '../../errors.js';
import { caseIdOf, countedOf, type RowFacts } from '../../model/result.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { pathWord } from '../../text/shell-word.js';
import { escapeLines, escapeTerminal } from '../terminal/terminal-text.js';

/** What of the requests of two runs differs, as `assay compare --prompts --json` prints it. */
export interface ShownPrompts extends Pick<PromptDiff, 'parts' | 'varying' | 'counts' | 'without'> {
  readonly runs: readonly { readonly run_id: string; readonly run_name: string }[];
  /** The cases whose traces part, the earliest step first. */
  readonly cases: readonly {
    readonly id: string;
    readonly parts: (typeof partings)[number];
    /** The call where they part, from 1. */
    readonly call: number;
  }[];
}

/** Compares the requests of two saved runs. Error: `usage` for others, or another number of runs. */
export async function shownPrompts(
  runs: readonly (StoredRun | undefined)[],
): Promise<ShownPrompts> {
  const [a, b] = runs;
  if (runs.length !== 2 || a === undefined || b === undefined) {
    throw new AssayError('usage', '--prompts compares two saved runs.');
  }
  const rows = [a.rows.map(countedOf), b.rows.map(countedOf)] as const;
  const ids: string[] = [];
  const pairs = rowPairs(rows, ids);
  const requests = {
    a: await readRequests(a.log.file, rows[0]),
    b: await readRequests(b.log.file, rows[1]),
  };
  const { cases, ...diff } = promptDiff(pairs, requests);
  return {
    runs: [a, b].map(({ runId, header }) => ({ run_id: runId, run_name: header.run_name })),
    ...diff,
    cases: cases
      .filter(({ parting }) => parting.call > 0)
      .sort((x, y) => stepOf(x) - stepOf(y))
      .map(({ pair, parting: { kind, call } }) => ({ id: ids[pair] ?? '', parts: kind, call })),
  };
}

/** The cases that both runs have; their ids go into a list. */
function rowPairs(
  rows: readonly [readonly RowFacts[], readonly RowFacts[]],
  ids: string[],
): RowPair[] {
  const [base, other] = rows.map((of) => {
    const found = new Map<string, number[]>();
    for (const [index, row] of of.entries()) {
      const id = caseIdOf(row);
      found.set(id, [...(found.get(id) ?? []), index]);
    }
    return found;
  });
  return [...(base ?? [])].flatMap(([id, a]) => {
    const b = other?.get(id);
    if (b === undefined) return [];
    const { evaluation } = rows[0][a[0] ?? 0] as RowFacts;
    return [{ pair: ids.push(id) - 1, evaluation, a, b }];
  });
}

/** Cases that are named. */
const mostNamed = 5;

const words: Readonly<Record<(typeof partings)[number], string>> = {
  first_message: 'first message',
  first_call: 'first call',
  later_call: 'a later call',
  tool_answer: 'answer of a tool',
  last_answer: 'last answer',
  nowhere: 'nowhere',
};

/** The differences as unified diffs, then where the traces part. */
export function renderPrompts(shown: ShownPrompts, colours: ChalkInstance): string {
  const { runs, parts, varying, counts, without, cases } = shown;
  const [a, b] = runs.map(({ run_name }) => escapeTerminal(run_name));
  const same = parts.filter((part) => part.isSame);
  const differing = parts.filter((part) => !part.isSame);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const at = partings
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${words[kind]} ${renderCount(counts[kind])}`);
  return [
    ...differing.flatMap((part) => [
      colours.bold(
        `  ${partWord(part)} of ${escapeTerminal(part.role)}, in ${countOf(part.pairs, 'pair')}`,
      ),
      ...diffLines(part.a, part.b, { a: a ?? '', b: b ?? '', colours }),
      '',
    ]),
    ...same.map(
      (part) =>
        `  ${partWord(part)} of ${escapeTerminal(part.role)}: same in both, ${countOf(part.pairs, 'pair')}`,
    ),
    ...varying.map(
      (one) =>
        `  ${partWord(one)} of ${escapeTerminal(one.role)} varies by case: ${renderCount(one.a)} in ${a}, ${renderCount(one.b)} in ${b}`,
    ),
    '',
    `  ${renderCount(cases.length)} of ${countOf(total, 'trace')} part: ${at.join(' · ')}${without > 0 ? ` · ${countOf(without, 'case')} without calls in one of the runs` : ''}`,
    ...cases
      .slice(0, mostNamed)
      .map(
        ({ id, parts: kind, call }) => `    ${escapeTerminal(id)}   ${words[kind]}, call ${call}`,
      ),
    ...(cases.length > mostNamed ? [`    ${renderCount(cases.length - mostNamed)} more`] : []),
    ...(cases[0] === undefined
      ? []
      : [
          '',
          ...runs.map(({ run_id }) => `  assay show ${run_id} ${pathWord(cases[0]?.id ?? '')}`),
        ]),
  ].join('\n');
}

function partWord({ part }: { readonly part: string }): string {
  return part === 'system' ? 'system prompt' : part;
}

/** A unified diff; of JSON with a field a line. */
function diffLines(
  before: unknown,
  after: unknown,
  { a, b, colours }: { readonly a: string; readonly b: string; readonly colours: ChalkInstance },
): string[] {
  const { hunks } = structuredPatch(a, b, linesOf(before), linesOf(after), '', '', { context: 1 });
  return [
    colours.red(`  --- ${a}${before === undefined ? ': not there' : ''}`),
    colours.green(`  +++ ${b}${after === undefined ? ': not there' : ''}`),
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      colours.dim(`  @@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
      ...lines
        .filter((line) => !line.startsWith('\\'))
        .flatMap((line) => escapeLines(line))
        .map(
          (line) =>
            `  ${(line.startsWith('-') ? colours.red : line.startsWith('+') ? colours.green : String)(line)}`,
        ),
    ]),
  ];
}

function linesOf(value: unknown): string {
  if (value === undefined) return '';
  return `${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n`;
}
