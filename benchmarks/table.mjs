import { median } from './measure.mjs';

/** Markdown: one line per measured row, with its targets and whether they are met. */
export function renderTable(measured) {
  const plain = measured.find(({ row }) => row.workload.name === 'node');
  const plainSeconds = plain?.seconds && median(plain.seconds);
  const head = ['what', 'tool', 'median s', 'fastest–slowest', '× node', 'parent MB', 'child MB'];
  const lines = measured.map((figure) => [
    figure.row.workload.title,
    figure.row.workload.name === 'node' ? 'node' : figure.row.tool,
    ...(figure.error ? ['failed', '', '', '', ''] : figures(figure, plainSeconds)),
    ...goals(figure, plainSeconds),
  ]);
  return markdown([...head, 'target', 'stretch', 'verdict'], lines);
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

function figures({ seconds, warm, parent, child }, plainSeconds) {
  const middle = median(seconds);
  return [
    middle.toFixed(3),
    warm ? `${seconds[0].toFixed(3)}–${seconds.at(-1).toFixed(3)}` : 'one run, not warmed up',
    plainSeconds ? (middle / plainSeconds).toFixed(1) : '',
    parent?.toFixed(0) ?? '—',
    child?.toFixed(0) ?? '—',
  ];
}

function goals(figure, plainSeconds) {
  const { workload, tool } = figure.row;
  if (tool !== 'assay' || !workload.target) return ['', '', ''];
  const verdict = figure.error
    ? 'failed'
    : isMet(workload.stretch, figure, plainSeconds)
      ? 'stretch met'
      : isMet(workload.target, figure, plainSeconds)
        ? 'target met'
        : 'missed';
  return [renderGoal(workload.target), renderGoal(workload.stretch), verdict];
}

function isMet({ seconds, times, megabytes }, figure, plainSeconds) {
  const middle = median(figure.seconds);
  return (
    (seconds === undefined || middle <= seconds) &&
    (times === undefined || middle <= times * plainSeconds) &&
    (megabytes === undefined || figure.parent <= megabytes)
  );
}

function renderGoal({ seconds, times, megabytes }) {
  const parts = [
    seconds !== undefined && `${seconds.toFixed(2)} s`,
    times !== undefined && `${times} × node`,
    megabytes !== undefined && `${megabytes} MB`,
  ];
  return `≤ ${parts.filter(Boolean).join(', ')}`;
}

function markdown(head, lines) {
  const rows = [head, ...lines];
  const widths = head.map((_, i) => Math.max(3, ...rows.map((row) => row[i].length)));
  const render = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [render(head), rule, ...lines.map(render)].join('\n');
}
