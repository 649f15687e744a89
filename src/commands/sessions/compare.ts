import { Args, Flags } from '@oclif/core';
import { type ComparisonJson, toComparisonJson } from '../../cli/compare/compare-json.js';
import { renderComparisonMarkdown } from '../../cli/compare/compare-markdown.js';
import type { ShownPrompts } from '../../cli/compare/compare-prompts.js';
import { renderComparison } from '../../cli/compare/compare-report.js';
import { readShown } from '../../cli/compare/compare-shown.js';
import { renderVariants, renderVariantsMarkdown } from '../../cli/compare/variants-table.js';
import { parseWholeNumber, referenceSessionFlag } from '../../cli/flags.js';
import { refuseOutcome } from '../../cli/outcome-conditions.js';
import { writeToStdout } from '../../cli/output.js';
import { writeToFile } from '../../cli/output-file.js';
import { caseLinks } from '../../cli/reporters/case-links.js';
import {
  askedOf,
  isAsking,
  type SelectionFlags,
  selectionFlags,
} from '../../cli/selection-flags.js';
import { StoreCommand } from '../../cli/store-command.js';
import { coloursFor } from '../../cli/terminal/colour.js';
import { streamWidth } from '../../cli/terminal/stream-width.js';
import { comparedKinds } from '../../compare/cases/choose-pairs.js';
import { compareRuns } from '../../compare/compare-runs.js';
import { ignoreErrorsOf, withAge } from '../../compare/compared-run.js';
import {
  type OpenedForComparison,
  openForComparison,
  savedRunOf,
} from '../../compare/open-for-comparison.js';
import { withCases } from '../../compare/select-cases.js';
import { compareVariants } from '../../compare/variants/compare-variants.js';
import { AssayError } from '../../errors.js';
import { mostVariants } from '../../model/option-ranges.js';
import { parseCondition } from '../../model/selection/condition.js';

/** So many runs are read one by one; of more, the table says which to look at. */
const mostInDetail = 4;

export default class SessionsCompare extends StoreCommand {
  static override summary = 'Compare runs with the first one: better, worse, or chance?';
  static override description =
    'Evaluations are paired by id. RUN may also be a baseline file. Three runs and more come first as variants in one table. The numbers are explained in docs/statistics.md and docs/variants.md.';
  static override usage = 'sessions compare BASE RUN [RUN...] [FLAGS]';
  static override examples = [
    '<%= config.bin %> sessions compare brisk-otter latest',
    '<%= config.bin %> sessions compare evals/baseline.json latest --format md > comment.md',
    '<%= config.bin %> sessions compare previous latest --prompts',
    `<%= config.bin %> sessions compare main latest --json | jq '.comparisons[0].gates.regression.verdict'`,
  ];
  static override args = {
    runs: Args.string({
      description: `2 to ${mostVariants} runs or baseline files, or a group of runs; the first is the base.`,
      required: true,
      multiple: true,
    }),
  };
  static override flags = {
    format: Flags.option({
      char: 'f',
      description:
        'Tables for a terminal, Markdown for a pull request, or a page to send. Default: from the extension of FILE, else text.',
      options: ['text', 'md', 'html'] as const,
    })(),
    output: Flags.string({
      char: 'o',
      description: 'File for Markdown or the page, - for stdout.',
      default: '-',
      helpValue: 'FILE',
    }),
    comment: Flags.string({
      description:
        'Also write a Markdown comment for a pull request. Its first line is a hidden mark by which CI replaces it.',
      helpValue: 'FILE',
    }),
    only: Flags.option({
      description: 'Show only cases with this change.',
      options: comparedKinds,
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
    })(),
    limit: Flags.custom<number>({
      description: `Show at most N cases of each run. Default: 10; none for more than ${mostInDetail} runs without --only.`,
      helpValue: 'N',
      parse: parseWholeNumber('limit', { min: 0 }),
    })(),
    'ignore-errors': Flags.boolean({
      description: 'Compare without the results that are errors.',
    }),
    prompts: Flags.boolean({
      description:
        'Show what of the requests to models differs between two runs: system prompts, tools, parameters, and where traces part.',
      exclusive: [
        'format',
        'comment',
        'only',
        'limit',
        'ignore-errors',
        'where',
        'name',
        'dataset',
        'label',
        'sample',
      ],
    }),
    session: referenceSessionFlag,
    ...selectionFlags('SELECTION'),
  };

  async run(): Promise<ComparisonJson | ShownPrompts | undefined> {
    const { args, flags } = await this.parse(SessionsCompare);
    const format = flags.format ?? formatOf(flags.output);
    const isMarkdown = format === 'md';
    const { settings, store } = await this.openProject(flags);
    const maxAge = settings.effective('baseline_max_age_days').value;
    const where = { cwd: process.cwd(), session: flags.session };
    const named = await Promise.all(
      args.runs.map(async (one) => (await this.findGroup(store, one, where)) ?? [one]),
    );
    const references = named.flat();
    checkUsage(references, { format, output: flags.output, isJson: this.jsonEnabled() });
    const opened: OpenedForComparison[] = [];
    try {
      for (const reference of references) {
        const run = await openForComparison(store, reference, where);
        opened.push(run);
        this.noteProblems(run.problems);
      }
      if (flags.prompts) {
        const { renderPrompts, shownPrompts } = await import(
          '../../cli/compare/compare-prompts.js'
        );
        const prompts = await shownPrompts(opened.map(savedRunOf));
        if (this.jsonEnabled()) return prompts;
        this.log(renderPrompts(prompts, coloursFor('stdout')));
        return undefined;
      }
      if (format === 'html') return await this.#writeReport(opened, flags);
      const chosen = isAsking(flags) ? await selectCases(opened, flags) : opened;
      const [first, ...others] = flags['ignore-errors'] ? chosen.map(ignoreErrorsOf) : chosen;
      if (first === undefined) throw new Error('checked above');
      // Who names an old run means it; only a baseline file has no state.
      const base = first.head.state === null ? withAge(first, maxAge) : first;
      const runs = compareRuns(base, others);
      const variants = others.length > 1 ? compareVariants(base, others) : undefined;
      const columns = this.jsonEnabled() ? Number.POSITIVE_INFINITY : streamWidth(process.stdout);
      const { only } = flags;
      const isLong = only === undefined && references.length > mostInDetail;
      const { limit = isLong ? 0 : 10 } = flags;
      const shown = await readShown(runs, { limit, only, columns: isMarkdown ? 200 : columns });
      if (flags.comment !== undefined) {
        const { renderComparisonComment } = await import('../../cli/reporters/comment.js');
        const saved = opened.flatMap((one) => savedRunOf(one) ?? []).reverse();
        const tools = { cwd: process.cwd(), env: process.env };
        const details = await readShown(runs, { limit: 10, only, columns: 200 });
        const markdown = [
          ...(variants ? [renderVariantsMarkdown(variants)] : []),
          renderComparisonMarkdown(runs, details, {
            withVerdict: true,
            linkOf: caseLinks(saved, tools),
          }),
        ];
        const comment = renderComparisonComment(runs, markdown, process.env);
        await writeToFile(flags.comment, pieces([comment]));
      }
      if (this.jsonEnabled()) return toComparisonJson(runs, shown, variants);
      const colours = coloursFor('stdout');
      const page = { columns, colours, now: Date.now(), withVerdict: true };
      if (isMarkdown) {
        const tables = [
          ...(variants ? [renderVariantsMarkdown(variants)] : []),
          renderComparisonMarkdown(runs, shown, page),
        ];
        if (flags.output === '-') for (const table of tables) this.log(table);
        else await writeToFile(flags.output, pieces(tables));
      } else {
        if (variants) this.log(`${renderVariants(variants, page)}\n`);
        this.log(renderComparison(runs, shown, page));
      }
      return undefined;
    } finally {
      for (const run of opened) await run.close();
    }
  }

  /** Writes the runs as a page that opens with their comparison. Error: `usage` for a baseline file, which has no results. */
  async #writeReport(
    opened: readonly OpenedForComparison[],
    flags: SelectionFlags & { readonly output: string },
  ): Promise<undefined> {
    if (isAsking(flags)) {
      throw new AssayError(
        'usage',
        'A report has all cases of its runs: its page has the filters.',
      );
    }
    const runs = opened.map((one) => {
      const stored = savedRunOf(one);
      if (stored !== undefined) return stored;
      const { head } = one;
      throw new AssayError(
        'usage',
        `${head.run_name} comes from a file, which has no results for a report.`,
      );
    });
    const ids = runs.map(({ runId }) => runId);
    const query = new URLSearchParams(ids.map((id): [string, string] => ['run', id]));
    const page = `${ids.length > mostInDetail ? '/matrix' : '/compare'}?${query}`;
    const { renderReport } = await import('../../exporters/report.js');
    const report = renderReport(runs, { run: ids.at(-1) ?? '', page });
    if (flags.output === '-') await writeToStdout(report);
    else await writeToFile(flags.output, report);
    return undefined;
  }
}

async function* pieces(tables: readonly string[]): AsyncGenerator<string> {
  for (const table of tables) yield `${table}\n`;
}

/** The runs with the cases that flags select. Errors: `usage` for a choice by outcomes, `nothing-selected`. */
async function selectCases(opened: readonly OpenedForComparison[], flags: SelectionFlags) {
  const { where = [], ...asked } = askedOf(flags);
  for (const { source } of opened) {
    await refuseOutcome(where, source, 'they cannot be compared');
  }
  return withCases(opened, { ...asked, conditions: where.map(parseCondition) });
}

type Format = 'text' | 'md' | 'html';

function formatOf(output: string): Format {
  const extension = /\.(md|html?)$/i.exec(output)?.[1]?.toLowerCase();
  return extension === undefined ? 'text' : extension === 'md' ? 'md' : 'html';
}

function checkUsage(
  runs: readonly string[],
  { format, output, isJson }: { format: Format; output: string; isJson: boolean },
): void {
  if (runs.length < 2 || runs.length > mostVariants) {
    throw new AssayError(
      'usage',
      `2 to ${mostVariants} runs can be compared, not ${runs.length}.`,
      {
        hints: ['The first is the base: assay sessions compare BASE RUN'],
      },
    );
  }
  if (isJson && format !== 'text') {
    throw new AssayError('usage', `--json and --format ${format} cannot be given together.`);
  }
  if (format === 'text' && output !== '-') {
    throw new AssayError('usage', `${output} would be neither Markdown nor a page.`, {
      hints: ['Name it comparison.md or comparison.html, or add --format'],
    });
  }
}
