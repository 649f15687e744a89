import { countOf } from '../../text/count-text.js';
import type { ListedWorker, WorkerList } from '../../workers/list-workers.js';
import { asTyped } from '../as-typed.js';
import { coloursFor } from '../terminal/colour.js';
import { relativeTime } from '../terminal/relative-time.js';
import { renderTable } from '../terminal/responsive-table.js';
import { escapeTerminal } from '../terminal/terminal-text.js';

/** The page for a table. */
interface Page {
  /** Columns; unlimited if missing. */
  readonly width?: number | undefined;
  /** Unix milliseconds. */
  readonly now: number;
  /** The Redis server. */
  readonly shownUrl: string;
}

/** Renders the workers of a project, and below them the runs that they work on. */
export function renderWorkers({ workers, runs }: WorkerList, page: Page): string {
  const { shownUrl } = page;
  const lines =
    workers.length === 0
      ? [asTyped(`No worker at ${shownUrl}. Start one: assay worker --redis ${shownUrl}`)]
      : workerLines(workers, page);
  const queues = runs.map(
    ({ run_id, run_name, is_paused, is_silent, jobs_waiting, jobs_active, not_offered }) =>
      [
        `  run ${escapeTerminal(run_name)}`,
        `${countOf(jobs_waiting, 'job')} waiting, ${jobs_active} running`,
        ...(is_paused ? ['paused'] : []),
        ...(is_silent
          ? [asTyped(`its coordinator is silent: assay run --resume ${run_id} --redis ${shownUrl}`)]
          : []),
        ...not_offered.map((name) => `no worker offers ${escapeTerminal(name)}`),
      ].join(' · '),
  );
  return [...lines, ...(queues.length === 0 ? [] : ['', ...queues])].join('\n');
}

function workerLines(workers: readonly ListedWorker[], { width, now }: Page): readonly string[] {
  const colours = coloursFor('stdout');
  const column = (title: string, textOf: (worker: ListedWorker) => string) => ({
    title,
    cells: workers.map((worker) => ({
      text: escapeTerminal(textOf(worker)),
      paint: worker.is_lost ? colours.dim : undefined,
    })),
  });
  return renderTable(
    [
      { ...column('worker', ({ name }) => name), shrinkTo: 12 },
      column('slots', slotsText),
      { ...column('running', runningText), shrinkTo: 16 },
      { ...column('offers', ({ offers }) => offers.join(', ')), rank: 1, shrinkTo: 8 },
      { ...column('code', ({ code }) => code ?? ''), rank: 2, shrinkTo: 8 },
      { ...column('done', ({ finished }) => String(finished)), align: 'right', rank: 0 },
      column('last seen', ({ last_seen }) => seenText(Date.parse(last_seen), now)),
    ],
    width ?? Number.POSITIVE_INFINITY,
    colours,
  );
}

function slotsText({ busy, slots, is_lost }: ListedWorker): string {
  return is_lost ? 'lost' : `${busy} of ${slots}`;
}

/** `cancelOrder[twice]~2, 2 more`, or why it runs nothing. */
function runningText({ busy, running, refused, runs, is_lost }: ListedWorker): string {
  if (is_lost) return busy > 0 ? 'others take its evaluations' : '';
  const [first] = running;
  if (first !== undefined) return busy === 1 ? first : `${first}, ${busy - 1} more`;
  const [refusal] = refused;
  if (refusal !== undefined && runs.length === 0) return `refused: ${refusal.reason}`;
  return '';
}

/** `now`, `40 s ago`, `4 minutes ago`. */
function seenText(then: number, now: number): string {
  const seconds = Math.round((now - then) / 1000);
  if (seconds < 15) return 'now';
  return seconds < 60 ? `${seconds} s ago` : relativeTime(then, now);
}
