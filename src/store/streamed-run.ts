import { readSmallFile } from '../files/regular-file.js';
import { unpackCalls } from '../model/calls/stored-calls.js';
import type { ReadableRun } from '../model/readable-run.js';
import type { RowFacts } from '../model/result.js';
import { countedSummary } from '../model/summary/counts-only.js';
import { type BesideRows, summarise } from '../model/summary/summary.js';
import { documentPath } from './folders.js';
import { covers, headOf, parseDocument, toDocument } from './listing/run-json.js';
import { liveHolder } from './lock/lock.js';
import { readCalls, readEntries, readFacts } from './log/entry-reading.js';
import { formatVersion } from './log/records.js';
import { openLog } from './open-run.js';
import { RunOutline } from './replay/run-outline.js';
import type { RunHeader } from './replay/run-replay.js';
import { unreadable } from './stored-run.js';

export interface OpenedRun {
  readonly run: ReadableRun;
  /** Problems of its files, as sentences for the user. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens the run in a folder to be read once from the first row to the last: memory holds where the rows are.
 * `runId` as for `openRunFolder`. Error: `unreadable-run`.
 */
export async function openStreamedRun(folder: string, runId?: string): Promise<OpenedRun> {
  const { log, id } = await openLog(folder, (events) => new RunOutline(events), runId);
  const { index, file } = log;
  if (index.header === undefined) throw unreadable(folder);
  const header = { ...index.header, run_id: id };
  const isHeld = liveHolder(folder) !== undefined;
  const facts = { [Symbol.iterator]: () => readFacts(file, index.rows()) };
  const more = {
    state: index.state(isHeld),
    selected_total: index.selectedTotal,
    updated_at_ms: index.updatedAtMs,
    log_size: log.position,
    passes: index.passes,
    ...(index.facts.commit !== undefined && { commit: index.facts.commit }),
    params: index.facts.params,
  };
  const { hasOldRepeats } = index;
  const beside = { unlisted: index.unlisted(isHeld), hasOldRepeats };
  const {
    repeats,
    summary,
    params: _,
    ...document
  } = savedDocument(folder, log.position) ?? countDocument(header, [...facts], more, beside);
  return {
    run: {
      head: {
        ...document,
        summary,
        ...(repeats && { repeats }),
        ...headOf(header, index.updatedAtMs),
        ...index.facts,
        state: more.state,
      },
      scoreChips: document.score_chips,
      review: index.review.exported,
      get rows() {
        return [...facts];
      },
      entries: (indices) => readEntries(file, index.rows(indices)),
      trace: (at) => {
        const [row] = index.rows([at]);
        return row === undefined ? { calls: [] } : unpackCalls(readCalls(file, row));
      },
    },
    get problems() {
      return log.problems(isHeld);
    },
    close: () => log.close(),
  };
}

function countDocument(
  header: RunHeader,
  rows: readonly RowFacts[],
  { passes, ...more }: Parameters<typeof toDocument>[3] & { readonly passes: number },
  beside: BesideRows,
) {
  const summary = summarise(rows, undefined, beside);
  const counted = countedSummary(rows, summary, { passes });
  return { ...toDocument(header, summary, counted, more), summary: counted };
}

/** `run.json`, if it says what so many bytes of the log say. */
function savedDocument(folder: string, logSize: number) {
  const document = parseDocument(readSmallFile(documentPath(folder)) ?? '');
  if (document?.format !== formatVersion) return undefined;
  return covers(document, logSize) ? document : undefined;
}
