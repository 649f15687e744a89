import { Args, Flags } from '@oclif/core';
import { asTyped } from '../cli/as-typed.js';
import { referenceSessionFlag, runDescription } from '../cli/flags.js';
import { writeDocument } from '../cli/output.js';
import { isAsking, selectionFlags } from '../cli/selection-flags.js';
import {
  type CallOrder,
  callOrderOf,
  callOrders,
  checkOrder,
  type ShownCalls,
  shownCalls,
} from '../cli/show/shown-calls.js';
import {
  groupByOf,
  groupOrderOf,
  groupRun,
  isPlannedIn,
  readPreviousCases,
  renderGroups,
  type ShownGroups,
} from '../cli/show/shown-groups.js';
import type { ShownReasons } from '../cli/show/shown-reasons.js';
import { findResult, renderResult } from '../cli/show/shown-result-text.js';
import { openShownRun, renderShownRun } from '../cli/show/shown-run.js';
import { StoreCommand } from '../cli/store-command.js';
import { coloursFor } from '../cli/terminal/colour.js';
import { streamWidth } from '../cli/terminal/stream-width.js';
import { escapeTerminal } from '../cli/terminal/terminal-text.js';
import { AssayError } from '../errors.js';
import { type ResultPage, readResultPage } from '../model/result-page.js';
import {
  type GroupBy,
  type GroupOrder,
  groupForms,
  groupSorts,
} from '../model/summary/row-groups.js';
import type { Store } from '../store/store.js';
import { pathWord } from '../text/shell-word.js';

export default class Show extends StoreCommand {
  static override summary =
    'Show a saved run, or a group of runs, as `assay run` printed it, or one complete result.';
  static override examples = [
    '<%= config.bin %> show',
    '<%= config.bin %> show previous',
    '<%= config.bin %> show latest "orders.eval.ts::cancelOrder[twice]~2"',
    '<%= config.bin %> show latest --by dataset',
    '<%= config.bin %> show latest --by reason',
    '<%= config.bin %> show latest --calls --by cost',
    '<%= config.bin %> show latest --by metadata.tier --sort cost',
    '<%= config.bin %> show latest --view "failed, by tier"',
    '<%= config.bin %> show latest -t refund --where metadata.tier=pro',
    '<%= config.bin %> show brisk-otter --json | jq .summary.pass_rate',
  ];
  static override args = {
    run: Args.string({ description: `${runDescription} Default: latest.` }),
    id: Args.string({ description: 'Id of a result, or its name if it is unique.' }),
  };
  static override flags = {
    session: referenceSessionFlag,
    by: Flags.custom<GroupBy | 'reason' | CallOrder>({
      description: `Show one line per group: figures by ${groupForms}; or why results failed, by reason. With --calls: ${callOrders.join(', ')}.`,
      helpValue: 'FIELD',
      parse: async (text) => callOrderOf(text) ?? (text === 'reason' ? text : groupByOf(text)),
    })(),
    calls: Flags.boolean({
      description:
        'Show the slowest, the dearest and the failed calls of models; with --by, the first by one of these.',
      exclusive: ['sort'],
    }),
    sort: Flags.custom<GroupOrder>({
      description: `With --by: ${groupSorts.join(', ')} or score:KEY. Default: passed, the worst first; the largest first for results, latency and cost.`,
      helpValue: 'FIGURE',
      dependsOn: ['by'],
      parse: async (text) => groupOrderOf(text),
    })(),
    view: Flags.string({
      description: 'Show the results of a saved view of the dashboard, grouped as it groups them.',
      helpValue: 'NAME',
      exclusive: ['where', 'name', 'dataset', 'label', 'sample'],
    }),
    ...selectionFlags('SELECTION'),
  };

  async run(): Promise<ResultPage | ShownGroups | ShownReasons | ShownCalls | undefined> {
    const { args, flags } = await this.parse(Show);
    // Names of runs hardly ever contain these, so they mean a result of the newest run.
    const isResult = args.id === undefined && /::|\[.*\]/s.test(args.run ?? '');
    const id = isResult ? args.run : args.id;
    const order = checkOrder(flags);
    if (id !== undefined && flags.calls) {
      throw new AssayError('usage', '--calls shows a run, not one result.');
    }
    if (id !== undefined && flags.by !== undefined) {
      throw new AssayError('usage', '--by shows a run, not one result.');
    }
    if (id !== undefined && flags.view !== undefined) {
      throw new AssayError('usage', '--view shows a run, not one result.');
    }
    if (id !== undefined && isAsking(flags)) {
      throw new AssayError('usage', 'Filters are for a run, not for one result.');
    }
    const reference = isResult ? 'latest' : (args.run ?? 'latest');
    const { store, settings } = await this.openProject(flags);
    const choosing =
      flags.view === undefined && !isAsking(flags)
        ? undefined
        : await import('../cli/show/chosen-results.js');
    const view = flags.view === undefined ? undefined : choosing?.findView(settings, flags.view);
    const cwd = process.cwd();
    const group = await this.findGroup(store, reference, flags);
    if (
      group !== undefined &&
      id === undefined &&
      flags.by === undefined &&
      !flags.calls &&
      !choosing
    ) {
      return this.#showGroup(store, reference, group);
    }
    const shown = await openShownRun(store, reference, { cwd, session: flags.session });
    const page = {
      columns: streamWidth(process.stdout),
      colours: coloursFor('stdout'),
      cwd,
    };
    try {
      this.noteProblems(shown.problems);
      if (id !== undefined) {
        const index = findResult(shown.run, id, cwd);
        const result = readResultPage(shown.run, shown.run.head(), index);
        this.noteProblems(shown.problems);
        if (this.jsonEnabled()) return result;
        const { run_id } = shown.run.head();
        const command = asTyped(`assay show ${run_id} ${pathWord(result.result.id)} | more`);
        const whole = process.stdout.isTTY ? command : undefined;
        this.log(renderResult(result.result, result.attempts?.length ?? 0, { ...page, whole }));
        return undefined;
      }
      const chosen = view
        ? await choosing?.viewedResults(view, shown)
        : await choosing?.selectedResults(shown.readable(), shown.stored, flags);
      const part = chosen && choosing?.chosenText(chosen);
      if (flags.calls) {
        const listed = shownCalls(shown, { order, indices: chosen?.indices });
        if (this.jsonEnabled()) return listed.json;
        if (part !== undefined) this.log(`${escapeTerminal(part)}\n`);
        const { 'results-dir': resultsDir } = flags;
        this.log(listed.text({ ...page, resultsDir }));
        return undefined;
      }
      if (flags.by === 'reason') {
        const reasons = await import('../cli/show/shown-reasons.js');
        const shownReasons = reasons.shownReasons(shown.run, chosen?.indices);
        if (this.jsonEnabled()) return shownReasons.json;
        if (part !== undefined) this.log(`${escapeTerminal(part)}\n`);
        this.log(shownReasons.text(page));
        return undefined;
      }
      const by =
        order === undefined ? ((flags.by as GroupBy | undefined) ?? chosen?.by) : undefined;
      if (by !== undefined) {
        const previous = shown.isSaved
          ? await readPreviousCases(store, shown.run.head())
          : undefined;
        const isPlanned = await isPlannedIn(shown.stored, by);
        const countsOnly = chosen?.countsOnly === true || !isPlanned;
        const grouping = { by, order: flags.sort, previous, chosen, countsOnly };
        const groups = await groupRun(shown.readable(), grouping);
        if (this.jsonEnabled()) return groups;
        if (part !== undefined) this.log(`${escapeTerminal(part)}\n`);
        this.log(renderGroups(groups, page));
        return undefined;
      }
      const toShow = chosen && choosing ? choosing.partOfShown(shown, chosen) : shown;
      if (this.jsonEnabled()) {
        const { jsonExporter } = await import('../exporters/json.js');
        await writeDocument(jsonExporter.render(toShow.readable()), true);
        return undefined;
      }
      const { 'results-dir': resultsDir } = flags;
      const { run_id, session_name, params } = shown.run.head();
      const runs = shown.isSaved && params ? await store.listRuns(session_name) : [];
      const at = runs.findIndex((one) => one.run_id === run_id);
      const before = at < 0 ? undefined : runs[at + 1];
      this.log(renderShownRun(toShow, { ...page, resultsDir, part, before, now: Date.now() }));
      return undefined;
    } finally {
      await shown.close();
    }
  }

  /** Shows the variants of a group as `assay run` printed them. */
  async #showGroup(store: Store, name: string, ids: readonly string[]): Promise<undefined> {
    const { groupJson, withRuns } = await import('../cli/run/group-data.js');
    await withRuns(store, ids, async (runs) => {
      const { compareGroup } = await import('../compare/variants/compare-variants.js');
      const comparison = compareGroup(runs);
      if (this.jsonEnabled()) {
        await writeDocument(groupJson({ name, runs }, comparison), true);
        return;
      }
      const { renderVariants } = await import('../cli/compare/variants-table.js');
      const page = { columns: streamWidth(process.stdout), colours: coloursFor('stdout') };
      const ofRuns = runs.map(
        ({ runId, header }) => `  ${runId}  ${escapeTerminal(header.run_name)}`,
      );
      this.log(`${renderVariants(comparison, page)}\n\n${ofRuns.join('\n')}`);
    });
    return undefined;
  }
}
