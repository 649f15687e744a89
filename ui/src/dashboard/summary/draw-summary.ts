import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { count, counted, percent } from '../../components/figures.js';
import { momentText } from '../../components/time.js';
import { canvasPen, type Pen } from './canvas-pen.js';
import { drawHistogram } from './draw-histogram.js';
import { drawScores } from './draw-scores.js';

/** Pixels of the page; the picture has twice as many. */
const width = 960;
const margin = 24;

/** Draws the summary of a run as it stands, in the colours of the page. */
export async function drawSummary(run: Run, figures: RowFigures): Promise<Blob> {
  const { summary } = figures;
  const scores = Math.max(4, summary.chips.length);
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
  drawScores(pen, summary.chips, { x: margin, y: 160, width: 540 });
  drawHistogram(pen, summary.latency, { x: margin + 580, y: 160, width: width - 2 * margin - 580 });
  return toBlob(canvas);
}

function drawHead(pen: Pen, run: Run, { filtered, total, summary }: RowFigures): void {
  const { counts } = summary;
  const rate = counts.pass_rate;
  pen.text(run.run_name, margin, 36, { size: 15, weight: 600 });
  const of =
    filtered === total ? counted(total, 'result') : `${count(filtered)} of ${count(total)} results`;
  const about = `${run.session_name} · ${momentText(new Date(run.created_at * 1000))} · ${of}`;
  pen.text(about, width - margin, 36, { colour: 'ink-2', align: 'right' });
  const share = rate === null ? '–' : `${percent(rate.estimate)}%`;
  pen.text(share, margin, 82, { size: 30, weight: 600 });
  const bounds =
    rate === null || rate.low === null || rate.high === null
      ? ''
      : ` (${(rate.low * 100).toFixed(1)} – ${(rate.high * 100).toFixed(1)})`;
  const words = [
    rate === null ? 'no verdict' : `passed${bounds}`,
    `${count(counts.passed)} passed`,
    `${count(counts.failed)} failed`,
    counted(counts.errors, 'error'),
    `${count(counts.no_verdict)} no verdict`,
    ...(counts.unfinished > 0 ? [`${count(counts.unfinished)} unfinished`] : []),
  ];
  pen.text(words.join('   '), margin + 110, 82, { colour: 'ink-2' });
  drawStack(pen, counts);
}

function drawStack(pen: Pen, counts: RowFigures['summary']['counts']): void {
  const parts = [
    [counts.passed, 'bar'],
    [counts.failed, 'fail'],
    [counts.errors, 'error'],
    [counts.no_verdict, 'bar-hist'],
    [counts.unfinished, 'sunken'],
  ] as const;
  const whole = width - 2 * margin;
  let x = margin;
  for (const [many, colour] of parts) {
    if (many === 0) continue;
    const part = (many / Math.max(1, counts.results)) * whole;
    pen.rect(x, 98, Math.max(1, part - 1), 8, colour);
    x += part;
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
