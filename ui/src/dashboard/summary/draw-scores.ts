import type { Pen } from './canvas-pen.js';
import type { ScoreLine } from './score-lines.js';

/** The area of a drawing. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const rowHeight = 22;
const keyWidth = 120;
const numbersWidth = 130;

/** One bar per score with its interval, and its numbers. */
export function drawScores(pen: Pen, lines: readonly ScoreLine[], place: Place): void {
  if (lines.length === 0) return;
  const bar = { x: place.x + keyWidth, width: place.width - keyWidth - numbersWidth };
  drawRuler(pen, bar, place.y - rowHeight);
  lines.forEach(({ kind, name, isSecond, level, interval, value, of, isCount }, n) => {
    const y = place.y + n * rowHeight;
    const end = place.x + place.width;
    const text = name.length > 18 ? `${name.slice(0, 17)}…` : name;
    const indent = isSecond ? 14 : 0;
    pen.text(text, place.x + indent, y + 5, { size: 12, isMono: true });
    pen.text(of, end, y + 5, { size: 12, colour: 'ink-2', align: 'right' });
    if (isCount) return;
    pen.rect(bar.x, y - 3, bar.width, 7, 'sunken');
    const isShare = kind === 'share' || kind === 'threshold';
    if (isShare) pen.rect(bar.x, y - 3, bar.width * level, 7, 'bar');
    drawWhisker(pen, interval, isShare ? level : undefined, bar, y);
    if (kind === 'mean' && level >= 0 && level <= 1) {
      pen.diamond(bar.x + bar.width * level, y + 0.5, 'ink');
    }
    pen.text(value, end - 80, y + 5, { weight: 600, align: 'right' });
  });
}

/** The scale above the bars, from 0 to 100. */
function drawRuler(pen: Pen, bar: Omit<Place, 'y'>, y: number): void {
  for (let tick = 0; tick <= 20; tick += 1) {
    const x = bar.x + (tick / 20) * (bar.width - 1);
    const isNamed = tick % 5 === 0;
    pen.rect(x, y + (isNamed ? 4 : 7), 1, isNamed ? 6 : 3, 'line-strong');
    if (!isNamed) continue;
    const align = tick === 0 ? 'left' : tick === 20 ? 'right' : 'center';
    pen.text(String(tick * 5), x, y, { size: 10.5, colour: 'ink-3', align });
  }
}

/** The interval: light inside a bar that reaches to `level`, dark beyond it. */
function drawWhisker(
  pen: Pen,
  { low, high }: ScoreLine['interval'],
  level: number | undefined,
  bar: { readonly x: number; readonly width: number },
  y: number,
): void {
  if (low === null || high === null) return;
  const from = bar.x + bar.width * Math.max(0, low);
  const to = bar.x + bar.width * Math.min(1, high);
  if (to <= from) return;
  const end = bar.x + bar.width * (level ?? 0);
  const inside = Math.max(0, Math.min(to, end) - from);
  if (inside > 0) {
    pen.rect(from, y, inside, 1, 'ground');
    pen.rect(from - 1, y - 4, 3, 9, 'ground');
  }
  pen.rect(from + inside, y, to - from - inside, 1, 'ink');
  pen.rect(from, y - 4, 1, 9, 'ink');
  pen.rect(to - 1, y - 4, 1, 9, 'ink');
}
