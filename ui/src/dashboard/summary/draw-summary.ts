import { boundsText } from '../../../../src/text/share-text.js';
import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import type { RowSummary } from '../../api/schema.js';
import { count, counted, duration, rateText } from '../../components/figures/figures.js';
import { momentText } from '../../components/figures/time.js';
import { canvasPen, type Pen } from './canvas-pen.js';
import { drawScores, type Place } from './draw-scores.js';
import { latencyAxis } from './latency-axis.js';
import { scoreLines } from './score-lines.js';

/** Pixels of the page; the picture has twice as many. */
const width = 960;
const margin = 24;

/** Draws the current summary of a run, in the colours of the page. */
export async function drawSummary(run: Run, figures: RowFigures): Promise<Blob> {
  const { summary } = figures;
  const lines = scoreLines(summary.chips, summary.counts_only);
  const scores = Math.max(4, lines.length);
  const height = 178 + Math.max(scores * 22 + 20, 150);
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser does not let this page draw.');
  context.scale(2, 2);
  const pen = canvasPen(context);
  pen.rect(0, 0, width, height, 'ground');
  drawHead(pen, run, figures);
  drawScores(pen, lines, { x: margin, y: 160, width: 540 });
  drawHistogram(pen, summary.latency, { x: margin + 580, y: 160, width: width - 2 * margin - 580 });
  return toBlob(canvas);
}

function drawHead(pen: Pen, run: Run, { filtered, total, summary }: RowFigures): void {
  const { counts } = summary;
  const rate = counts.pass_rate;
  pen.text(run.run_name, margin, 36, { size: 15, weight: 600 });
  const of =
    filtered === total ? counted(total, 'result') : `${count(filtered)} of ${count(total)} results`;
  const about = `${run.session_name} · ${momentText(new Date(run.started_at * 1000))} · ${of}`;
  pen.text(about, width - margin, 36, { colour: 'ink-2', align: 'right' });
  const isCount = summary.counts_only === true;
  const share = isCount ? count(counts.passed) : rateText(rate?.estimate);
  pen.text(share, margin, 82, { size: 30, weight: 600 });
  const of_ = `of ${count(counts.passed + counts.failed + counts.errors)} passed, counts only`;
  const rated = rate === null ? 'no verdict' : `passed (${boundsText(rate)})`;
  const passed = isCount ? of_ : rated;
  pen.text(passed, margin + 120, 82, { colour: 'ink-2' });
  drawStack(pen, counts);
}

/** The bar of all results, with the counts above its end. */
function drawStack(pen: Pen, counts: RowFigures['summary']['counts']): void {
  const parts = [
    { many: counts.passed, colour: 'bar', text: `${count(counts.passed)} passed` },
    { many: counts.failed, colour: 'fail', text: `${count(counts.failed)} failed` },
    { many: counts.errors, colour: 'error', text: counted(counts.errors, 'error') },
    { many: counts.no_verdict, colour: 'bar-hist', text: `${count(counts.no_verdict)} no verdict` },
    { many: counts.unfinished, colour: 'idle', text: `${count(counts.unfinished)} unfinished` },
  ].filter(({ many }) => many > 0);
  const whole = width - 2 * margin;
  let x = margin;
  for (const { many, colour } of parts) {
    const part = (many / Math.max(1, counts.results)) * whole;
    pen.rect(x, 98, Math.max(1, part - 1), 8, colour);
    x += part;
  }
  let end = width - margin;
  for (const { colour, text } of parts.toReversed()) {
    const wide = pen.text(text, end, 82, { colour: 'ink-2', align: 'right' });
    pen.rect(end - wide - 14, 73, 9, 9, colour);
    end -= wide + 32;
  }
}

function toBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The browser does not let this page draw.'));
      else resolve(blob);
    }, 'image/png');
  });
}

const height = 84;

/** The histogram of latencies. */
function drawHistogram(pen: Pen, latency: RowSummary['latency'], place: Place): void {
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
