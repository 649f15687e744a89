import type { IntervalChip } from '../../api/schema.js';
import { count, figure, percent } from '../../components/figures.js';
import type { Pen } from './canvas-pen.js';

/** Where something is drawn. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const rowHeight = 22;
const keyWidth = 120;
const numbersWidth = 130;

/** One bar per score with its interval, and its numbers. */
export function drawScores(pen: Pen, chips: readonly IntervalChip[], place: Place): void {
  const bar = { x: place.x + keyWidth, width: place.width - keyWidth - numbersWidth };
  chips.forEach((chip, n) => {
    const y = place.y + n * rowHeight;
    const end = place.x + place.width;
    const key = chip.key.length > 18 ? `${chip.key.slice(0, 17)}…` : chip.key;
    pen.text(key, place.x, y + 5, { size: 12, isMono: true });
    pen.rect(bar.x, y - 3, bar.width, 7, 'sunken');
    const isRatio = chip.type === 'ratio';
    const level = isRatio ? chip.passed / Math.max(1, chip.total) : chip.avg;
    if (isRatio) pen.rect(bar.x, y - 3, bar.width * level, 7, 'bar');
    drawWhisker(pen, chip, bar, y);
    if (!isRatio && level >= 0 && level <= 1) {
      pen.rect(bar.x + bar.width * level - 3, y - 3, 6, 7, 'ink');
    }
    pen.text(isRatio ? percent(level) : figure(level), end - 80, y + 5, {
      weight: 600,
      align: 'right',
    });
    const of = isRatio
      ? `${count(chip.passed)} / ${count(chip.total)}`
      : `avg of ${count(chip.count)}`;
    pen.text(of, end, y + 5, { size: 12, colour: 'ink-2', align: 'right' });
  });
}

function drawWhisker(
  pen: Pen,
  { interval: { low, high } }: IntervalChip,
  bar: { readonly x: number; readonly width: number },
  y: number,
): void {
  if (low === null || high === null) return;
  const from = bar.x + bar.width * Math.max(0, low);
  const to = bar.x + bar.width * Math.min(1, high);
  if (to <= from) return;
  pen.rect(from, y, to - from, 1, 'ink');
  pen.rect(from, y - 4, 1, 9, 'ink');
  pen.rect(to - 1, y - 4, 1, 9, 'ink');
}
