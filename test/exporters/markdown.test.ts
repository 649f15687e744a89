import { expect } from 'chai';
import { AssayError } from '../../src/errors.js';
import type { ExportOptions } from '../../src/exporters/exporter.js';
import { markdownExporter } from '../../src/exporters/markdown.js';
import { buildEntry, buildRun, renderAll } from './sample-run.js';

const entries = [
  buildEntry(
    { labels: ['a', 'b'] },
    {
      input: 'Where is my *refund*?',
      output: { text: 'a|b' },
      reference: 'line\nline',
      scores: [
        { key: 'exact', passed: true },
        { key: 'tone', value: 0.82 },
        { key: 'words', value: 1234.5, passed: false },
      ],
      latency: 0.0123,
    },
  ),
  buildEntry(
    { function: 'cancel[polite]' },
    { status: 'error', error: 'Error: <b>', scores: [{ key: 'tone', value: 0.5 }], latency: 2 },
  ),
];

describe('markdown export', () => {
  it('has title, session, counts, a bar per score and a table', async () => {
    const document = await renderAll(markdownExporter, buildRun(entries));
    expect(document).to.equal(
      `# brisk-otter

- Session: default
- Run: 3f9a0c12be77, started 2025-10-09 08:53 UTC
- Results: 2
- Passed: 0
- Errors: 1
- Pass rate: 0.0 %, 0 of 2 (95 %: 0.0–65.8)
- Average latency: 1.01 s

| score | bar | figure | 95 % | result |
| --- | --- | --: | --- | --- |
| exact | ████████████████████ | 100.0 % | 20.7–100.0 | 1 of 1 passed |
| tone | █████████████░░░░░░░ | 0.66 | n too small | mean of 2 |
| words | ░░░░░░░░░░░░░░░░░░░░ | 0.0 % | 0.0–79.3 | 0 of 1 passed |
| words (value) |  |  | unbounded values | p50 1,235, p95 1,235 of 1 |

| eval | dataset | input | output | reference | scores | status | error | latency |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| refund | support | Where is my \\*refund\\*? | \\{"text":"a\\|b"} | line<br>line | ✓ exact, tone 0.82, ✗ words 1,234.5 | completed |  | 12 ms |
| cancel\\[polite\\] | support |  |  |  | tone 0.5 | error | Error: &lt;b&gt; | 2.00 s |
`,
    );
  });

  it('has calls, tokens and cost where models were called', async () => {
    const target = { calls: 3, input: 4_100, output: 52, cost: 0.0042, unpriced: 1 };
    const usage = { ...target, by_role: { target } };
    const free = { calls: 1, cost: null, unpriced: 1, by_role: {} };
    const called = [
      buildEntry({}, { usage }),
      buildEntry({}, { usage: free }),
      buildEntry({}, { usage: { calls: 0, other_calls: 1, cost: 0, by_role: {} } }),
      buildEntry(),
    ];
    const document = await renderAll(markdownExporter, buildRun(called, { usage }));
    expect(document).to.include(
      '\n- Usage: 4 calls · 4.1k tokens in, 52 out · ≥ \\$0.0042 · 2 not priced\n',
    );
    const rows = document.split('\n').filter((line) => line.startsWith('| refund'));
    expect(rows.map((row) => row.split(' | ').slice(-3).join(' | '))).to.deep.equal([
      '3 | 4.2k | ≥ \\$0.0042 |',
      '1 |  | unknown |',
      '0 |  |  |',
      ' |  |  |',
    ]);
  });

  it('has no chart without scores and shows the state of a run that is not finished', async () => {
    const run = buildRun([], { state: 'interrupted' });
    const document = await renderAll(markdownExporter, run);
    expect(document).not.to.include('█').and.not.to.include('░');
    expect(document).to.include('\n- State: interrupted\n');
  });

  it('shows values beside their threshold, and how many passed', async () => {
    const entriesOf = [0.9, 0.5].map((value) =>
      buildEntry(
        {},
        {
          scores: [
            { key: 'near', passed: value >= 0.8, value, threshold: 0.8 },
            { key: 'tokens', passed: true, value: 400, threshold: 500, better: 'lower' },
          ],
        },
      ),
    );
    const document = await renderAll(markdownExporter, buildRun(entriesOf));
    expect(document).to.include('| near | ██████████████░░░░░░ | 0.7 | n too small | mean of 2 |');
    expect(document).to.include(
      '| near ≥ 0.8 | ██████████░░░░░░░░░░ | 50.0 % | 9.5–90.5 | 1 of 2 passed |',
    );
    expect(document).to.include('| tokens |  |  | unbounded values | p50 400, p95 400 of 2 |');
    expect(document).to.include(
      '| tokens ≤ 500 | ████████████████████ | 100.0 % | 34.2–100.0 | 2 of 2 passed |',
    );
    expect(document).to.include('✓ near 0.9 ≥ 0.8, ✓ tokens 400 ≤ 500');
    expect(document).to.match(/✗ near 0\.5 \S+ 0\.8/);
  });

  it('draws a mean only where it is between 0 and 1, and shows percentiles of unbounded values', async () => {
    const scores = [
      { key: 'low', value: -1 },
      { key: 'high', value: 41.5 },
      { key: 'stars', value: 4 },
    ];
    const document = await renderAll(markdownExporter, buildRun([buildEntry({}, { scores })]));
    expect(document).to.include(
      '| low |  |  | unbounded values | p50 -1, p95 -1 of 1 |\n| high |  |  | unbounded values | p50 41.5, p95 41.5 of 1 |\n| stars |  | 4 | n too small | mean of 1 |\n',
    );
  });

  it('shows chosen columns in the order given, with eval and function as one', async () => {
    const columns = ['score:words', 'function', 'labels', 'eval', 'score:exact'];
    const document = await renderAll(markdownExporter, buildRun(entries), { columns });
    expect(document).to.match(
      /\| score:words \| eval \| labels \| score:exact \|\n.*\n\| ✗ 1,234.5 \| refund \| a, b \| ✓ \|\n/,
    );
  });

  it('has a trial column by itself when the run has trials', async () => {
    const trial = buildEntry({ trial: 3, trial_of: 'x' });
    const document = await renderAll(markdownExporter, buildRun([trial], { trials: 3 }));
    expect(document).to.include('| eval | trial | dataset |').and.to.include('| refund | 3 |');
  });

  it('ends after the chart when no columns are chosen', async () => {
    const document = await renderAll(markdownExporter, buildRun(entries), { columns: [] });
    expect(document).to.match(/p95 1,235 of 1 \|\n\n$/);
  });

  it('shows chosen rows in the order given and says how many', async () => {
    const options = { indices: [1, 9, -1], columns: ['eval'] };
    const document = await renderAll(markdownExporter, buildRun(entries), options);
    expect(document).to.include('\n- Selected: 1 of 2\n');
    expect(document).to.match(/\| --- \|\n\| cancel\\\[polite\\\] \|\n$/);
  });

  it('takes names and figures from its options', async () => {
    const document = await renderAll(markdownExporter, buildRun(entries), {
      runName: 'my *run*',
      sessionName: '<s>',
      indices: [0],
      stats: {
        total: 2000,
        filtered: 1,
        avgLatency: 1.5,
        chips: [{ key: 'a|b', type: 'ratio', passed: 741, total: 1000 }],
      },
    });
    expect(document).to.match(/^# my \\\*run\\\*\n\n- Session: &lt;s&gt;\n/);
    expect(document).to.include('\n- Results: 2,000\n');
    expect(document).to.include('\n- Selected: 1 of 2,000\n');
    expect(document).to.include('\n- Average latency: 1.50 s\n');
    // What the report does not count itself has no interval.
    expect(document).to.include(
      '| a\\|b | ███████████████░░░░░ | 74.1 % |  | 741 of 1,000 passed |',
    );
    expect(document).not.to.include('| tone |');
  });

  it('counts the chosen rows, or all where the figures sent are of the whole run', async () => {
    const yes = [{ key: 'exact', passed: true }];
    const no = [{ key: 'exact', passed: false }];
    const run = buildRun([
      buildEntry({ id: 'a' }, { scores: yes, latency: 1 }),
      buildEntry({ id: 'b' }, { scores: no, latency: 3 }),
      buildEntry({ id: 'c' }, { scores: no, latency: 5 }),
      buildEntry({ id: 'd' }, { status: 'error' }),
    ]);
    const head = async (options: ExportOptions) =>
      (await renderAll(markdownExporter, run, { columns: [], ...options }))
        .split('\n')
        .slice(4, -1);
    const chosen = [
      '- Results: 4',
      '- Selected: 2 of 4',
      '- Passed: 1',
      '- Errors: 0',
      '- Pass rate: 50.0 %, 1 of 2 (95 %: 9.5–90.5)',
      '- Average latency: 2.00 s',
      '',
      '| score | bar | figure | 95 % | result |',
      '| --- | --- | --: | --- | --- |',
      '| exact | ██████████░░░░░░░░░░ | 50.0 % | 9.5–90.5 | 1 of 2 passed |',
      '',
    ];
    expect(await head({ indices: [0, 1] })).to.deep.equal(chosen);
    expect(await head({ indices: [0, 1], countsOnly: true })).to.deep.equal([
      ...chosen.slice(0, 4),
      ...chosen.slice(5, -2),
      '| exact |  |  |  | 1 of 2 passed |',
      '',
    ]);
    expect(await head({ indices: [0, 1], countsOnly: true, bars: true })).to.include(
      '| exact | ██████████░░░░░░░░░░ | 50.0 % |  | 1 of 2 passed |',
    );
    const chips = [{ key: 'exact', type: 'ratio', passed: 1, total: 2 }] as const;
    const stats = { total: 4, filtered: 2, avgLatency: 2, chips };
    expect(await head({ indices: [0, 1], stats })).to.deep.equal(chosen);
    const whole = await head({ indices: [0, 1], stats: { ...stats, filtered: 4, chips: [] } });
    expect(whole.slice(0, 4)).to.deep.equal([
      '- Results: 4',
      '- Passed: 1',
      '- Errors: 1',
      '- Pass rate: 25.0 %, 1 of 4 (95 %: 4.6–69.9)',
    ]);
  });

  it('keeps a bar at 20 cells whatever figures it is given', async () => {
    for (const [passed, total] of [
      [5, 0],
      [5, 1],
      [-5, 1],
    ] as const) {
      const chips = [{ key: 'k', type: 'ratio', passed, total } as const];
      const stats = { total: 1, filtered: 1, avgLatency: 0, chips };
      const document = await renderAll(markdownExporter, buildRun([]), { stats });
      expect(document).to.match(/\| k \| [█░]{20} \|/);
    }
  });

  it('keeps every row on one line with the same number of cells, whatever the values', async () => {
    const hostile = ['|', '\\', '\\|', '\n| x | y |', '\r\n\r\n# h', '`|`', '|||', '```\n', '<td>'];
    const rows = hostile.map((text) =>
      buildEntry(
        { function: text, dataset: text, labels: [text] },
        { input: text, output: { [text]: text }, error: text, scores: [{ key: text, value: 1 }] },
      ),
    );
    const run = buildRun(rows, { run_name: '\n# x', session_name: '|\n- x' });
    const lines = (await renderAll(markdownExporter, run)).trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('#'))).to.deep.equal(['# <br>\\# x']);
    const table = lines.slice(lines.findIndex((line) => line.startsWith('| eval')));
    expect(table).to.have.length(2 + hostile.length);
    for (const line of table) expect(countCells(line)).to.equal(9);
  });

  it('refuses an unknown column at once', () => {
    const render = () => markdownExporter.render(buildRun([]), { columns: ['outputs'] });
    expect(render).to.throw(AssayError, 'Unknown column: outputs.');
  });
});

function countCells(line: string): number {
  return line.replace(/\\./g, '').split('|').length - 2;
}
