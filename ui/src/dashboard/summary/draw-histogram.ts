import type { RowSummary } from '../../api/schema.js';
import { duration } from '../../components/figures.js';
import type { Pen } from './canvas-pen.js';
import type { Place } from './draw-scores.js';
import { latencyAxis } from './latency-axis.js';

const height = 84;

/** How long results took. */
export function drawHistogram(pen: Pen, latency: RowSummary['latency'], place: Place): void {
  const { average, p50, p95, count, histogram } = latency;
  if (count === 0 || average === null || p50 === null || p95 === null) return;
  pen.text('Latency', place.x, place.y + 5, { weight: 600 });
  const words = `mean ${duration(average)}   p50 ${duration(p50)}   p95 ${duration(p95)}`;
  pen.text(words, place.x + 56, place.y + 5, { size: 12, colour: 'ink-2' });
  const axis = latencyAxis(histogram);
  const ground = place.y + 24 + height;
  const most = Math.max(...histogram.map((bucket) => bucket.count));
  const at = (share: number) => place.x + share * place.width;
  for (const bucket of histogram) {
    const tall = (bucket.count / most) * height;
    const wide = axis.bucketWidth(bucket) * place.width - 1;
    pen.rect(at(axis.bucketAt(bucket)), ground - tall, wide, tall, 'bar-hist');
  }
  pen.rect(place.x, ground, place.width, 1, 'line-strong');
  for (const { at: share, label } of axis.ticks) {
    pen.rect(at(share), ground, 1, label === undefined ? 3 : 6, 'line-strong');
    if (label === undefined) continue;
    const align = share === 0 ? 'left' : share === 1 ? 'right' : 'center';
    pen.text(label, at(share), ground + 18, { size: 10.5, colour: 'ink-3', align });
  }
  pen.rect(at(axis.at(p50)), ground - height - 6, 1, height + 6, 'ink');
  // Dashed, as on the page.
  for (let y = ground - height - 6; y < ground; y += 5) {
    pen.rect(at(axis.at(p95)), y, 1, 3, 'ink');
  }
}
