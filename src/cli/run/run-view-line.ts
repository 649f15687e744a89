import type { ChalkInstance } from 'chalk';
import { fitWidth } from '../terminal/terminal-text.js';
import type { ProgressPart, RunProgress } from './run-view-progress.js';

const widestBar = 24;
const narrowestBar = 6;
const indent = '  ';

/** Renders the progress of a run as one line of at most `columns` columns. */
export function renderProgressLine(
  progress: RunProgress,
  columns: number,
  colours: ChalkInstance,
): string {
  const parts = progress.parts();
  const loose = join(parts, '   ');
  const cells = Math.min(widestBar, columns - loose.length - indent.length - 3);
  if (cells >= narrowestBar) {
    const share = progress.total === 0 ? 0 : progress.done / progress.total;
    const bar = colours.cyan(renderCells(share, cells));
    return `${indent}${bar}   ${join(parts, '   ', colours)}`;
  }
  const tight = indent + join(parts, '  ');
  return tight.length <= columns ? indent + join(parts, '  ', colours) : fitWidth(tight, columns);
}

/** Decides when a log gets a progress line: every 10 s or 10 %, whichever is rarer. */
export class PlainProgress {
  #seconds = 0;
  #done = 0;

  /** The lines to print now, if any. */
  lines(progress: RunProgress): string[] {
    const { elapsed, done, total } = progress;
    // The report that follows is enough.
    if (done >= total) return [];
    if (elapsed - this.#seconds < 10 || done - this.#done < total / 10) return [];
    this.#seconds = elapsed;
    this.#done = done;
    return [indent + join(progress.parts(), '   ')];
  }
}

function renderCells(share: number, cells: number): string {
  // Full only when everything is done.
  const full = Math.floor(Math.min(1, share) * cells);
  return '█'.repeat(full) + '░'.repeat(cells - full);
}

function join(parts: readonly ProgressPart[], between: string, colours?: ChalkInstance): string {
  return parts.map((part) => paint(part, colours)).join(between);
}

function paint({ text, tone }: ProgressPart, colours: ChalkInstance | undefined): string {
  if (colours === undefined || tone === 'plain') return text;
  if (tone === 'quiet') return colours.dim(text);
  return tone === 'good' ? colours.green(text) : colours.red(text);
}
