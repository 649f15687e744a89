import type { VariantComparison } from '../../compare/variants/compare-variants.js';
import { AssayError } from '../../errors.js';
import { type RunUsage, RunUsageSum } from '../../model/calls/run-usage.js';
import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import type { ReadableRun } from '../../model/readable-run.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { renderElapsed } from '../../text/duration-text.js';
import { renderUsage } from '../../text/usage-text.js';
import { asTyped } from '../as-typed.js';
import { renderVariants } from '../compare/variants-table.js';
import { writeDocument } from '../output.js';
import { checkOutputFile, writeToFile } from '../output-file.js';
import { withFlags } from '../report/report-options.js';
import type { ReportedOutcome } from '../reporters/reporter.js';
import { escapeTerminal, wrapParts } from '../terminal/terminal-text.js';
import type { BegunGroup, GroupOutput } from './group-output.js';
import { printVerdicts } from './judge-run.js';
import type { RunCommandOptions } from './run-command-options.js';

/** Where the name of a variant goes in the name of a file. */
const placeholder = '{variant}';

/** Checks before anything runs that a file can be written for each variant. Errors: `usage`, `storage-unusable`. */
export async function checkGroupOutputs(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  if (file === '-') {
    throw new AssayError('usage', '-o - writes one run, and there are several variants.', {
      hints: ['--json writes all of them to stdout; -o results.{variant}.csv a file for each.'],
    });
  }
  const { formatOfFile } = await import('../../exporters/index.js');
  const named = fileOf(file, 'variant');
  formatOfFile(named);
  await checkOutputFile(named);
}

/** Opens saved runs, does something with them, and closes them. Errors: those of `Store.openRun`. */
export async function withRuns<T>(
  store: Store,
  ids: readonly string[],
  act: (runs: readonly StoredRun[]) => Promise<T>,
): Promise<T> {
  const runs: StoredRun[] = [];
  try {
    for (const id of ids) runs.push(await store.openRun(id));
    return await act(runs);
  } finally {
    for (const run of runs) await run.close();
  }
}

/** `results.csv` or `results.{variant}.csv` for a variant: `results.large-v15.csv`. */
function fileOf(file: string, variant: string): string {
  if (file.includes(placeholder)) return file.replaceAll(placeholder, variant);
  const dot = /[^/\\](\.[^./\\]+(?:\.jsonl?)?)$/.exec(file);
  const at = dot === null ? file.length : file.length - (dot[1]?.length ?? 0);
  return `${file.slice(0, at)}.${variant}${file.slice(at)}`;
}

/** Names of runs as parts of file names, each another one. */
function slugs(names: readonly string[]): string[] {
  const made: string[] = [];
  for (const name of names) {
    const slug =
      name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '') || 'variant';
    const same = made.filter((one) => one === slug || one.startsWith(`${slug}~`)).length;
    made.push(same === 0 ? slug : `${slug}~${same + 1}`);
  }
  return made;
}

/** Verdicts on each run, and on what is limited for all of them. */
interface GroupVerdicts {
  readonly outcomes: readonly ReportedOutcome[];
  readonly limits: readonly GateVerdict[];
  /** More flags for the rest of the runs. */
  readonly resumeFlags: string;
}

/** Prints the table of variants, and the verdicts, on stderr. */
export function reportGroup(
  output: GroupOutput,
  { name, runs }: BegunGroup,
  comparison: VariantComparison,
  { outcomes, limits, resumeFlags }: GroupVerdicts,
  { flags }: RunCommandOptions,
): void {
  const { page } = output;
  process.stderr.write(`\n${renderVariants(comparison, page)}\n\n`);
  const results = runs.reduce((sum, run) => sum + run.rows.length, 0);
  const errors = runs.reduce((sum, run) => sum + run.summary().totals.total_errors, 0);
  const usage = usageOf(runs);
  const parts = [
    `${countOf(runs.length, 'run')} in group ${escapeTerminal(name)}`,
    countOf(results, 'result'),
    ...(output.ran.length < results ? [`${renderCount(output.ran.length)} ran`] : []),
    ...(errors === 0 ? [] : [countOf(errors, 'error')]),
    ...(usage === undefined ? [] : renderUsage(usage).split(' · ')),
    renderElapsed(performance.now() / 1000),
  ];
  // The verdict on a limit says how to resume.
  const isCut = limits.length === 0 && runs.some((run) => run.summary().unfinished > 0);
  const command = withFlags(`assay run --resume ${name}`, resumeFlags);
  const resume = isCut ? [`  ${command}`] : [];
  const saved = flags['no-save'] ? [] : [...resume, asTyped(`  assay serve --run ${name}`)];
  process.stderr.write(`${[...wrapParts(parts, page.columns, '  '), ...saved].join('\n')}\n`);
  printVerdicts(limits, undefined);
  for (const { run, verdicts } of outcomes) {
    printVerdicts(
      verdicts.map((one) => ({ ...one, text: `${run.header.run_name}: ${one.text}` })),
      undefined,
    );
  }
}

/** What runs spent together; `undefined` if they made no calls. */
function usageOf(runs: readonly StoredRun[]): RunUsage | undefined {
  const sum = new RunUsageSum();
  for (const run of runs) {
    for (const row of run.rows) sum.add(row);
    const { unlisted } = run.summary().usage ?? {};
    if (unlisted !== undefined) sum.addUnlisted(unlisted);
  }
  return sum.usage();
}

/** Writes a file for each variant, and all of them as JSON to stdout. */
export async function writeGroupData(
  { flags: { output: file }, json }: RunCommandOptions,
  group: BegunGroup,
  comparison: VariantComparison,
): Promise<void> {
  if (file !== undefined) {
    const { findExporter, formatOfFile } = await import('../../exporters/index.js');
    const { render } = findExporter(formatOfFile(fileOf(file, 'variant')));
    for await (const { name } of writeFiles(file, group.runs, (run) => render(run.snapshot()))) {
      process.stderr.write(`results written to ${escapeTerminal(name)}\n`);
    }
  }
  if (json) await writeDocument(groupJson(group, comparison), true);
}

/** Writes a file for each run: `file` with the name of its variant. Errors: those of `writeToFile`. */
export async function* writeFiles(
  file: string,
  runs: readonly StoredRun[],
  render: (run: StoredRun) => AsyncIterable<string>,
): AsyncGenerator<{ readonly name: string; readonly bytes: number }> {
  const names = slugs(runs.map(({ header }) => header.run_name));
  for (const [place, run] of runs.entries()) {
    const name = fileOf(file, names[place] ?? '');
    yield { name, bytes: await writeToFile(name, render(run)) };
  }
}

/** The runs of a group as JSON, with their comparison. */
export async function* groupJson(
  { name, runs }: Pick<BegunGroup, 'name' | 'runs'>,
  comparison: VariantComparison,
  calls = false,
  shown: (run: StoredRun) => ReadableRun = (run) => run.snapshot(),
): AsyncGenerator<string> {
  const { renderRunJson } = await import('../../exporters/json.js');
  yield `{\n"group": ${JSON.stringify(name)},\n"comparison": ${JSON.stringify(comparison)},\n"runs": [\n`;
  for (const [place, run] of runs.entries()) {
    if (place > 0) yield ',\n';
    yield* renderRunJson(shown(run), { kept: true, calls });
  }
  yield ']\n}\n';
}
