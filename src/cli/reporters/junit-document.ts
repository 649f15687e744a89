import { joinChunks } from '../../exporters/chunks.js';
import { isObject } from '../../model/json.js';
import { fileOf, type ResultEntry } from '../../model/result.js';
import type { CountedSummary } from '../../model/run.js';
import { type Standing, standingOf } from '../../model/scores/verdict.js';
import { shardText } from '../../model/shard.js';
import type { Row } from '../../store/replay/run-index.js';
import type { CountedRun, StoredRun } from '../../store/stored-run.js';
import { escapeCommands } from '../../text/ci-commands.js';
import { codeEscape, escapeHiddenInLines } from '../../text/hidden-characters.js';
import { writeDocument } from '../output.js';
import { checkOutputFile, removeFile, writeToFile } from '../output-file.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import { failureText, type Reporter, type ReporterTools, reasonOf, valueText } from './reporter.js';

// Characters that XML 1.0 forbids (Extensible Markup Language, fifth edition, 2.2) or discourages.
const forbidden =
  /[^\t\n\r\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10ffff}]/gu;

const longestValue = 2000;
const longestError = 20_000;

/** The results of an eval file. */
interface Suite {
  readonly file: string;
  readonly indices: number[];
}

/**
 * Runs as JUnit XML: one suite for each eval file, one test case for each result: the attempt that counts, as in rates and
 * gates. The suites of several runs begin with the names of their runs. Valid for the schema of Ant's tasks and for that of
 * Jenkins. Only what failed is read from the log, one result after the other.
 */
export async function* renderJunit(...runs: readonly StoredRun[]): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n';
  let id = 0;
  for (const run of runs) {
    const { counted } = run;
    const before = runs.length > 1 ? `${run.header.run_name} · ` : '';
    for (const suite of suitesOf(counted.rows)) {
      yield suiteHead(run, counted, { ...suite, name: before + suite.file }, id);
      yield* testCases(counted, suite);
      yield '    <system-out/>\n    <system-err/>\n  </testsuite>\n';
      id += 1;
    }
  }
  yield '</testsuites>\n';
}

function suitesOf(rows: readonly Row[]): Iterable<Suite> {
  const suites = new Map<string, Suite>();
  rows.forEach((row, index) => {
    const file = fileOf(row);
    const suite = suites.get(file);
    if (suite === undefined) suites.set(file, { file, indices: [index] });
    else suite.indices.push(index);
  });
  return suites.values();
}

function suiteHead(
  run: StoredRun,
  { rows }: CountedRun,
  { name, file, indices }: Suite & { readonly name: string },
  id: number,
): string {
  const { run_id, run_name, session_name, config_name, created_at_ms, shard } = run.header;
  const counts = { failures: 0, errors: 0, skipped: 0 };
  let time = 0;
  for (const index of indices) {
    const row = rows[index];
    if (row === undefined) continue;
    const kind = elements[standingOf(row)];
    if (kind !== undefined) counts[kind.count] += 1;
    time += timeOf(row);
  }
  const head = attributes({
    name,
    package: file,
    id: String(id),
    tests: String(indices.length),
    failures: String(counts.failures),
    errors: String(counts.errors),
    skipped: String(counts.skipped),
    time: seconds(time),
    timestamp: dateTime(created_at_ms),
    hostname: 'localhost',
  });
  const properties = Object.entries({
    ...{ run_id, run_name, session_name, config_name },
    ...(shard && { shard: shardText(shard) }),
    ...summaryProperties(run.countedFigures()),
    ...Object.fromEntries(flatProperties('mixed', run.summary().mixed)),
  }).map(([name, value]) => `      <property${attributes({ name, value })}/>\n`);
  return `  <testsuite${head}>\n    <properties>\n${properties.join('')}    </properties>\n`;
}

/** The summary of the run JSON, `summary.pass_rate.passed` and so on; scores by their keys. What is not known is left out. */
function summaryProperties({ scores, ...summary }: CountedSummary): Record<string, string> {
  const byKey = Object.fromEntries(scores.map(({ key, ...score }) => [key, score]));
  return Object.fromEntries(flatProperties('summary', { ...summary, scores: byKey }));
}

function flatProperties(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined) return [];
  if (!isObject(value)) return [[name, String(value)]];
  return Object.entries(value).flatMap(([field, one]) => flatProperties(`${name}.${field}`, one));
}

async function* testCases(run: CountedRun, { indices }: Suite): AsyncGenerator<string> {
  const rows = indices.flatMap((index) => {
    const row = run.rows[index];
    return row === undefined ? [] : [{ index, row }];
  });
  const read = rows.filter(({ row }) => elements[standingOf(row)]?.isRead === true);
  const entries = run.entries(read.map(({ index }) => index));
  const reader = entries[Symbol.asyncIterator]();
  try {
    for (const { row } of rows) {
      const element = elements[standingOf(row)];
      const entry = element?.isRead === true ? (await reader.next()).value?.entry : undefined;
      yield testCase(row, element?.render(row, entry) ?? '');
    }
  } finally {
    // The reader keeps the log open until it is closed.
    await reader.return?.(undefined);
  }
}

function testCase(row: Row, content: string): string {
  const name = row.trial === undefined ? row.function : `${row.function} trial ${row.trial}`;
  const head = attributes({ name, classname: fileOf(row), time: seconds(timeOf(row)) });
  return content === ''
    ? `    <testcase${head}/>\n`
    : `    <testcase${head}>\n${content}    </testcase>\n`;
}

/** The seconds that this run took for a result; 0 if it took the output over. */
function timeOf({ latency, origin }: Row): number {
  return origin === undefined ? (latency ?? 0) : 0;
}

interface Element {
  readonly count: 'failures' | 'errors' | 'skipped';
  /** True when its content must be read from the log. */
  readonly isRead: boolean;
  render(row: Row, entry: ResultEntry | undefined): string;
}

const failure: Element = {
  count: 'failures',
  isRead: true,
  render: (_, entry) => {
    if (entry === undefined) return '';
    const head = attributes({ message: reasonOf(entry), type: 'failed' });
    return `      <failure${head}>${escapeXml(failureBody(entry))}</failure>\n`;
  },
};

const error: Element = {
  count: 'errors',
  isRead: true,
  render: (_, entry) => {
    if (entry === undefined) return '';
    const head = attributes({ message: reasonOf(entry), type: 'error' });
    const text = valueText(entry.result.error ?? '', longestError);
    return `      <error${head}>${escapeXml(text)}</error>\n`;
  },
};

const skipped: Element = {
  count: 'skipped',
  isRead: false,
  render: () => '      <skipped/>\n',
};

const elements: { readonly [standing in Standing]: Element | undefined } = {
  passed: undefined,
  no_verdict: undefined,
  failed: failure,
  error,
  cancelled: skipped,
  pruned: skipped,
  not_started: skipped,
  pending: skipped,
  running: skipped,
};

function failureBody({ result }: ResultEntry): string {
  const { input, output, reference } = result;
  return [
    ...result.scores
      .filter((score) => score.passed === false)
      .map((score) => failureText(score, `${score.key} failed`)),
    `input: ${valueText(input, longestValue)}`,
    `output: ${valueText(output, longestValue)}`,
    ...(reference === null ? [] : [`reference: ${valueText(reference, longestValue)}`]),
  ].join('\n');
}

function attributes(values: { readonly [name: string]: string }): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(value)}"`)
    .join('');
}

/** Without an exponent: the schemas want a decimal. */
function seconds(value: number): string {
  return value.toFixed(6);
}

/** The schema of Ant's tasks allows no time zone; this is UTC. */
function dateTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString().slice(0, 19);
}

/**
 * Escapes text for the content of an element; hidden and forbidden characters appear as `\u{1b}`. The document may go to
 * stdout, where CI services look for commands, so a character of each becomes a character reference.
 */
export function escapeXml(text: string): string {
  const escaped = escapeHiddenInLines(text)
    .replace(forbidden, codeEscape)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
  return escapeCommands(escaped, (character) => `&#${character.codePointAt(0)};`);
}

/** Escapes text for an attribute in double quotes; line breaks and tabs are kept. */
export function escapeXmlAttribute(text: string): string {
  return escapeXml(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}

/** Writes a JUnit XML document to a file, or to stdout. */
export function junitReporter(file: string | undefined, tools: ReporterTools): Reporter {
  async function write(...runs: readonly StoredRun[]): Promise<void> {
    const pieces = joinChunks(renderJunit(...runs));
    if (file === undefined) {
      await writeDocument(pieces, false);
      return;
    }
    await writeToFile(file, pieces);
    tools.print(`JUnit report written to ${escapeTerminal(file)}\n`);
  }
  return {
    check: async () => {
      if (file !== undefined) await checkOutputFile(file);
    },
    begin: async () => {
      if (file !== undefined) await removeFile(file);
    },
    report: ({ run }) => write(run),
    reportGroup: ({ outcomes }) => write(...outcomes.map(({ run }) => run)),
  };
}
