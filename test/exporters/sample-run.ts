import type { Exporter, ExportOptions } from '../../src/exporters/exporter.js';
import type { ReadableRun } from '../../src/model/readable-run.js';
import type { Result, ResultEntry } from '../../src/model/result.js';
import type { RunHead } from '../../src/model/run.js';
import { countedSummary } from '../../src/model/summary/counts-only.js';
import { scoreChips, summarise } from '../../src/model/summary/summary.js';

/** A completed result with the given parts. */
export function buildEntry(
  parts: Partial<Omit<ResultEntry, 'result'>> = {},
  result: Partial<Result> = {},
): ResultEntry {
  return {
    id: 'evals/a.eval.ts::refund',
    function: 'refund',
    dataset: 'support',
    labels: [],
    ...parts,
    result: {
      input: null,
      output: null,
      reference: null,
      scores: [],
      error: null,
      latency: null,
      metadata: {},
      trace_data: {},
      status: 'completed',
      annotation: '',
      correction_history: [],
      ...result,
    },
  };
}

/** A run over entries in memory. */
export function buildRun(
  entries: readonly ResultEntry[],
  head: Partial<RunHead> = {},
): ReadableRun {
  return {
    head: { ...buildHead(entries.length), ...head },
    scoreChips: scoreChips(entries.map((entry) => entry.result)),
    rows: entries.map(({ result, counted: _, ...entry }) => ({
      ...entry,
      evaluation: entry.trial_of ?? entry.id,
      status: result.status,
      latency: result.latency,
      scores: result.scores,
      usage: result.usage,
      replaced_usage: result.replaced_usage,
    })),
    async *entries(indices = entries.map((_, index) => index)) {
      for (const index of indices) {
        const entry = entries[index];
        if (entry === undefined) throw new RangeError(`no entry ${index}`);
        yield { index, entry };
      }
    },
    trace: (index) => {
      const { calls = [], spans } = entries[index]?.result ?? {};
      return { calls, ...(spans && { spans }) };
    },
  };
}

/** The head of a finished run. */
export function buildHead(total: number): RunHead {
  return {
    run_id: '3f9a0c12be77',
    session_name: 'default',
    run_name: 'brisk-otter',
    created_at: 1_760_000_000,
    started_at: 1_760_000_000,
    updated_at: 1_760_000_009,
    path: 'evals',
    config_name: 'default',
    total_evaluations: total,
    total_functions: total,
    total_passed: 1,
    total_errors: 0,
    total_with_scores: 2,
    average_latency: 0.25,
    summary: countedSummary([], summarise([])),
    state: 'finished',
  };
}

/** The whole document of an export. */
export async function renderAll(
  exporter: Exporter,
  run: ReadableRun,
  options?: ExportOptions,
): Promise<string> {
  let document = '';
  for await (const piece of exporter.render(run, options)) document += piece;
  return document;
}
