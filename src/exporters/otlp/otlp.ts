import type { ReadableRun } from '../../model/readable-run.js';
import { isFinished } from '../../model/result.js';
import { selectResults } from '../../model/select-results.js';
import { chunkLength } from '../chunks.js';
import type { Exporter, ExportOptions } from '../exporter.js';
import { rejectTableOptions } from '../json.js';
import { knownIndices } from '../known-indices.js';
import { allButNewest, allLeftOut } from '../left-out.js';
import { attributes } from './otlp-json.js';
import { spansOf } from './result-spans.js';

/**
 * A run as OpenTelemetry traces in OTLP JSON: lines of `TracesData` with about 64,000 characters, each of which a
 * collector takes as a request. Every finished result has a span with an event `gen_ai.evaluation.result` for each
 * score, and a span below it for each call; with `calls` they also have what was said. Ids are derived from the ids of
 * run and result, so the same run always gives the same traces. Results that do not say when they began, of older
 * versions, begin when the run did. Attempts that were replaced or stopped have no spans; each resource says what they cost.
 */
export const otlpExporter: Exporter<'otlp'> = {
  format: 'otlp',
  contentType: 'application/x-ndjson; charset=utf-8',
  extension: 'otlp.jsonl',
  render: (run, options = {}) => {
    rejectTableOptions(options, 'An OTLP export');
    return lines(selected(run, options), options.calls ?? false);
  },
  leftOut: (run, options = {}) => allButNewest(selected(run, options)),
};

function selected(run: ReadableRun, { indices, countsOnly }: ExportOptions): ReadableRun {
  return selectResults(run, knownIndices(indices, run.rows.length), countsOnly);
}

async function* lines(run: ReadableRun, texts: boolean): AsyncGenerator<string> {
  const resource = resourceOf(run);
  let pending: string[] = [];
  let length = 0;
  for await (const { entry, index } of run.entries()) {
    if (!isFinished(entry.result)) continue;
    for (const span of spansOf(run.head, entry, run.trace(index), texts)) {
      const text = JSON.stringify(span);
      if (length > 0 && length + text.length > chunkLength) {
        yield tracesLine(resource, pending);
        pending = [];
        length = 0;
      }
      pending.push(text);
      length += text.length;
    }
  }
  if (length > 0) yield tracesLine(resource, pending);
}

/** The resource of all spans, as JSON. */
function resourceOf(run: ReadableRun): string {
  const left = allLeftOut(allButNewest(run));
  // What was cut off has made any number of calls.
  const calls = left?.cut_off === undefined ? left?.calls : undefined;
  return JSON.stringify({
    attributes: attributes({
      'service.name': 'assay',
      'assay.run.id': run.head.run_id,
      'assay.left_out.calls': calls,
      'assay.left_out.cut_off': left?.cut_off,
      'assay.left_out.cost': left?.cost == null ? undefined : { double: left.cost },
      'assay.left_out.unknown_costs': left?.unpriced,
    }),
  });
}

/** A line of `TracesData` with a resource and spans that are JSON already. */
function tracesLine(resource: string, spans: readonly string[]): string {
  const schema = `"schemaUrl":"https://opentelemetry.io/schemas/1.41.0"`;
  const scope = `{"scope":{"name":"assay"},"spans":[${spans.join(',')}],${schema}}`;
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[${scope}],${schema}}]}\n`;
}
