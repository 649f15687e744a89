import { median } from './measure.mjs';

/** Markdown: one line per measured row, with its goal and whether it is met. */
export function renderTable(measured) {
  const plain = measured.find(({ row }) => row.workload.name === 'node');
  const plainSeconds = plain?.seconds && median(plain.seconds);
  const head = ['what', 'tool', 'median s', 'fastest–slowest', '× node', '× yard'];
  const lines = measured.map((figure) => [
    figure.row.workload.title,
    ['node', 'yard'].includes(figure.row.workload.name) ? 'node' : figure.row.tool,
    ...(figure.error ? ['failed', '', '', '', '', ''] : figures(figure, plainSeconds)),
    ...verdict(figure, plainSeconds),
  ]);
  return markdown([...head, 'parent MB', 'child MB', 'goal', 'verdict'], lines);
}

/**
 * What one more result costs, from whole runs: (seconds − seconds of one eval) / (results − 1), in microseconds.
 * The comparison of the two sizes says whether cost grows with the length of a run.
 */
export function renderCostPerResult(measured) {
  const of = (name) =>
    measured.find(
      ({ row, seconds }) => row.workload.name === name && row.tool === 'assay' && seconds,
    );
  const [one, small, large] = ['one', '1kb-1000', '1kb-100000'].map(of);
  if (!one || !small || !large) return '';
  if (small.seconds[0] <= one.seconds.at(-1)) {
    return 'Cost per result: not to be told here, 1,000 results took no longer than one. Try again on an idle machine.';
  }
  const cost = ({ row, seconds }) =>
    ((median(seconds) - median(one.seconds)) / (row.workload.evals - 1)) * 1e6;
  const ratio = cost(large) / cost(small);
  return [
    `One more result of 1 kB costs ${cost(small).toFixed(1)} µs in a run of 1,000`,
    `and ${cost(large).toFixed(1)} µs in a run of 100,000:`,
    `${ratio.toFixed(2)} × (target 1.3 ×: ${ratio <= 1.3 ? 'met' : 'missed'}).`,
  ].join(' ');
}

function figures({ row, seconds, yard, warm, parent, child }, plainSeconds) {
  const middle = median(seconds);
  return [
    middle.toFixed(3),
    warm ? `${seconds[0].toFixed(3)}–${seconds.at(-1).toFixed(3)}` : 'one run, not warmed up',
    plainSeconds ? (middle / plainSeconds).toFixed(1) : '',
    yards({ row, seconds, yard }).toFixed(2),
    parent?.toFixed(0) ?? '—',
    child?.toFixed(0) ?? '—',
  ];
}

/** How many yards long the work of a row is, beyond what it must wait for. */
function yards({ row, seconds, yard }) {
  return (median(seconds) - (row.workload.ideal ?? 0)) / median(yard);
}

function verdict(figure, plainSeconds) {
  const { workload, tool } = figure.row;
  if (tool !== 'assay' || !workload.goal) return ['', ''];
  const { goal } = workload;
  const texts = [
    goal.times && `${goal.times} × node`,
    goal.yards && `${goal.yards} × yard${workload.ideal ? ` beyond ${workload.ideal} s` : ''}`,
    goal.megabytes && `${goal.megabytes} MB`,
  ];
  const isMet =
    !figure.error &&
    (!goal.times || median(figure.seconds) <= goal.times * plainSeconds) &&
    (!goal.yards || yards(figure) <= goal.yards) &&
    (!goal.megabytes || figure.parent <= goal.megabytes);
  return [`≤ ${texts.filter(Boolean).join(', ')}`, isMet ? 'met' : 'missed'];
}

function markdown(head, lines) {
  const rows = [head, ...lines];
  const widths = head.map((_, i) => Math.max(3, ...rows.map((row) => row[i].length)));
  const render = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [render(head), rule, ...lines.map(render)].join('\n');
}
