import { expect } from 'chai';
import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import {
  type ReportedRun,
  type RunReportOptions,
  renderRunReport,
} from '../../../src/cli/report/run-report.js';
import type { CountedAttempt } from '../../../src/model/result.js';
import type { Score } from '../../../src/model/scores/score.js';
import { verifiedOf } from '../../../src/model/summary/verified.js';
import { wilsonInterval } from '../../../src/statistics/wilson-interval.js';
import { graded, type SavedRow, savedRun, trials } from '../saved-run.js';

const colours = new Chalk({ level: 0 });

async function report(
  rows: readonly SavedRow[],
  change: Partial<RunReportOptions> = {},
): Promise<string> {
  return render(await savedRun(rows), change);
}

function render(run: ReportedRun, change: Partial<RunReportOptions> = {}): string {
  return renderRunReport({ run, columns: 80, colours, cwd: '/nowhere', elapsed: 3, ...change });
}

function text(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

const failure: SavedRow = { end: graded(false) };
const pass: SavedRow = { end: graded(true) };
const error: SavedRow = {
  end: { status: 'error', output: null, error: 'TypeError: no text\n    at f (/x.ts:1:2)' },
};
const few: readonly SavedRow[] = [
  { plan: { input: 'Worst customer service I have ever had in my life' }, ...failure },
  { plan: { input: { question: 'Is it good?' } }, end: graded(true, { latency: 1.26 }) },
  error,
];

describe('the report of a short run', () => {
  it('has a table, a bar for each score, counts and what to do next', async () => {
    expect(await report(few)).to.equal(
      text(
        '    evaluation   score   latency   input                      output',
        '  ✗ review[0]    exact   0.2 ms    "Worst customer service…   "positive"',
        '  ✓ review[1]    exact   1.26 s    {"question":"Is it good…   "positive"',
        '  ! review[2]            0.2 ms    "text 2"                   TypeError: no text',
        '',
        '  pass rate   ███████░░░░░░░░░░░░░   33.3 %   1 of 3   95 %: 6.1–79.2',
        '  exact       ██████████░░░░░░░░░░   50.0 %   1 of 2   95 %: 9.5–90.5',
        '  3 cases · 1 passed · 1 failed · 1 error · p50 0.2 ms, p95 1.13 s · 3.0 s',
        '  saved as 3f9a0c12be77 in session default',
        '  next: the first of 2 failures · run them again · run what changed · the page',
        '  assay show 3f9a0c12be77 "review[0]"',
        '  assay run --rerun 3f9a0c12be77 --only failed,errors',
        '  assay run --rerun 3f9a0c12be77 --only changed',
        '  assay serve --run 3f9a0c12be77',
      ),
    );
  });

  it('leaves out what 60 columns have no room for', async () => {
    expect(await report(few, { columns: 60 })).to.equal(
      text(
        '    evaluation  score  latency  input          output',
        '  ✗ review[0]   exact  0.2 ms   "Worst custo…  "positive"',
        '  ✓ review[1]   exact  1.26 s   {"question":…  "positive"',
        '  ! review[2]          0.2 ms   "text 2"       TypeError: n…',
        '',
        '  pass rate   ███████░░░░░░░░░░░░░   33.3 %   1 of 3',
        '  exact       ██████████░░░░░░░░░░   50.0 %   1 of 2',
        '  3 cases · 1 passed · 1 failed · 1 error',
        '  p50 0.2 ms, p95 1.13 s · 3.0 s',
        '  saved as 3f9a0c12be77 in session default',
        '  next: the first of 2 failures · run them again',
        '  run what changed · the page',
        '  assay show 3f9a0c12be77 "review[0]"',
        '  assay run --rerun 3f9a0c12be77 --only failed,errors',
        '  assay run --rerun 3f9a0c12be77 --only changed',
        '  assay serve --run 3f9a0c12be77',
      ),
    );
  });

  it('shows values whole where there is room', async () => {
    const lines = (await report(few, { columns: 120 })).split('\n');
    expect(lines.slice(0, 4)).to.deep.equal([
      '    evaluation   score   latency   input                                                 output',
      '  ✗ review[0]    exact   0.2 ms    "Worst customer service I have ever had in my life"   "positive"',
      '  ✓ review[1]    exact   1.26 s    {"question":"Is it good?"}                            "positive"',
      '  ! review[2]            0.2 ms    "text 2"                                              TypeError: no text',
    ]);
  });

  it('names the failed scores of a row first, with marks and values', async () => {
    const scores = [
      { key: 'exact', passed: true },
      { key: 'size', value: 0.8333333 },
      { key: 'tone', passed: false, value: 2 },
    ];
    const table = await report([{ end: { scores } }], { columns: 120 });
    expect(table).to.include('  ✗ review[0]    ✗ tone 2, ✓ exact, size 0.833   0.2 ms');
    expect(table).to.include(
      text(
        '  pass rate   ░░░░░░░░░░░░░░░░░░░░     0.0 %   0 of 1      95 %: 0.0–79.3',
        '  exact       ████████████████████   100.0 %   1 of 1      95 %: 20.7–100.0',
        '  size        █████████████████░░░     0.833   mean of 1   n too small',
        '  tone        ░░░░░░░░░░░░░░░░░░░░     0.0 %   0 of 1      95 %: 0.0–79.3',
      ),
    );
  });

  it('shows values beside their threshold, and the share that passed below the mean', async () => {
    const scores = (value: number, tokens: number): Score[] => [
      { key: 'near', passed: value >= 0.8, value, threshold: 0.8 },
      { key: 'tokens', passed: tokens <= 500, value: tokens, threshold: 500, better: 'lower' },
      { key: 'fees', value: 0.25, better: 'lower' },
    ];
    const rows: SavedRow[] = [
      { end: { scores: scores(0.83, 412) } },
      { end: { scores: scores(0.79999, 531) } },
    ];
    const table = await report(rows, { columns: 160 });
    expect(table).to.include('✓ near 0.83 ≥ 0.8, ✓ tokens 412 ≤ 500, fees 0.25 ');
    expect(table).to.include('✗ near 0.79999 < 0.8, ✗ tokens 531 > 500, fees 0.25 ');
    expect(table).to.include(
      text(
        '  near        ████████████████░░░░    0.815   mean of 2   n too small',
        '    ≥ 0.8     ██████████░░░░░░░░░░   50.0 %   1 of 2      95 %: 9.5–90.5',
        '  tokens      unbounded values        471.5   p50 of 2    p95 525.05',
      ),
    );
    expect(table).to.match(/\n {4}≤ 500 {5}█{10}░{10} +50\.0 % {3}1 of 2/);
    expect(table).to.match(/\n {2}fees +█{5}░{15} +0\.25 {3}mean of 2 +n too small\n/);
  });

  it('shows p50 and p95 of unbounded values, without a bar', async () => {
    const table = await report([{ end: { scores: [{ key: 'words', value: 1234.5 }] } }]);
    expect(table).to.include(`\n  words   unbounded values       1,235   p50 of 1   p95 1,235\n`);
  });

  it('counts what has no verdict, was cancelled, is not finished or was skipped', async () => {
    const rows: SavedRow[] = [{}, { unfinished: 'cancelled' }, { unfinished: 'pending' }];
    expect(await report(rows, { skipped: 4, elapsed: undefined, columns: 200 })).to.equal(
      text(
        '    evaluation   score   latency   input      output',
        '  – review[0]            0.2 ms    "text 0"   "positive"',
        '  · review[1]                      "text 1"   cancelled',
        '  · review[2]                      "text 2"   not finished',
        '',
        '  3 cases · 0 passed · 0 failed · 0 errors · 1 no verdict · 1 cancelled · 1 not finished · 4 skipped · p50 0.2 ms, p95 0.2 ms',
        '  saved as 3f9a0c12be77 in session default',
        '  assay export 3f9a0c12be77 -f csv',
        '  assay run --resume 3f9a0c12be77',
      ),
    );
  });

  it('offers to go on with the flags of the execution', async () => {
    const executionFlags = { rerun: '--record', resume: '--replay' };
    const failed = { end: { scores: [{ key: 'exact', passed: false }] } };
    expect(await report([failed], { executionFlags })).to.contain(' --only failed --record\n');
    expect(await report([{ unfinished: 'pending' }], { executionFlags })).to.match(
      /assay run --resume \w+ --replay\n/,
    );
  });

  it('names the newest run so, and a result by the shortest name that means it alone', async () => {
    const named = (name: string, file = 'evals/sentiment.eval.ts') => ({
      plan: { id: `${file}::${name}`, evaluation: `${file}::review`, function: name },
    });
    const other = 'evals/other.eval.ts';
    for (const [rows, word] of [
      [[named('review[0]')], '"review[0]"'],
      [[named('review[0]'), named('review[0]', other)], '"evals/sentiment.eval.ts::review[0]"'],
      // The evaluation of another file is called like it.
      [[named('review'), named('review[1]', other)], 'evals/sentiment.eval.ts::review'],
      [[named('review[*]')], '"evals/sentiment.eval.ts::review[*]"'],
      [[named('review[say "hi"]')], `'review[say "hi"]'`],
    ] as const) {
      const lines = await report(
        rows.map((row, at) => (at === 0 ? { ...row, ...failure } : { ...row, ...pass })),
        { isLatest: true },
      );
      expect(lines).to.include(`\n  assay show latest ${word}\n`);
      expect(lines).to.include('\n  assay run --rerun latest --only failed\n');
    }
  });

  it('offers nothing to do with a run that is not kept', async () => {
    const lines = await report([pass], { saved: false });
    expect(lines)
      .to.match(/ · 3\.0 s\n$/)
      .and.not.to.include('3f9a0c12be77');
  });

  it('repeats the flags that commands need to find the run', async () => {
    const lines = await report([failure], { repeatedFlags: '--results-dir out' });
    expect(lines).to.match(/assay show .* --results-dir out\n/);
    expect(lines).to.include('--only failed --results-dir out\n');
    expect(await report([pass], { repeatedFlags: '--results-dir out' })).to.include(
      'assay export 3f9a0c12be77 -f csv --results-dir out\n',
    );
  });

  it('has only the rows that were run now in the table, and all in the summary', async () => {
    const lines = await report([failure, pass, pass], { indices: [1] });
    const [table = ''] = lines.split('\n\n');
    expect(table.match(/review\[\d\]/g)).to.deep.equal(['review[1]']);
    expect(lines).to.include('3 cases · 2 passed · 1 failed');
  });

  it('names errors with the file where several files have the name', async () => {
    const lines = await report(
      ['a', 'b'].map((file) => ({
        plan: {
          id: `${file}.eval.ts::same`,
          evaluation: `${file}.eval.ts::same`,
          function: 'same',
        },
        end: { status: 'error', error: `Error: in ${file}` },
      })),
      { withErrors: true },
    );
    expect(lines).to.include('\n  ! a.eval.ts::same\n    Error: in a\n');
    expect(lines).to.include('\n  ! b.eval.ts::same\n');
  });

  it('gives ids to evaluations of the same name, and keeps their ends', async () => {
    const rows = ['a', 'b'].map((file) => ({
      ...pass,
      plan: { function: 'refund', id: `evals/quite/a/long/folder/${file}.eval.ts::refund` },
    }));
    const lines = (await report(rows, { columns: 60 })).split('\n');
    expect(lines[1]).to.match(/^ {2}✓ …a\.eval\.ts::refund {2}/);
    expect(lines[2]).to.match(/^ {2}✓ …b\.eval\.ts::refund {2}/);
  });
});

describe('the report of a long run', () => {
  it('shows twenty failures and says how many more there are', async () => {
    const rows = Array.from({ length: 1000 }, (_, at) => (at % 4 === 0 ? failure : pass));
    const lines = (await report(rows)).split('\n');
    expect(lines.filter((line) => line.startsWith('  ✗ '))).to.have.length(20);
    expect(lines.some((line) => line.startsWith('  ✓ '))).to.equal(false);
    expect(lines[21]).to.equal('  … 230 more failed: assay export 3f9a0c12be77 -f csv');
    expect(lines[23]).to.equal(
      '  exact   ███████████████░░░░░   75.0 %   750 of 1,000   95 %: 72.2–77.6',
    );
  });

  it('shows errors before failures, and some of both', async () => {
    const rows = Array.from({ length: 90 }, (_, at) => [pass, failure, error][at % 3] ?? pass);
    const lines = (await report(rows)).split('\n');
    expect(lines.slice(1, 21).map((line) => line[2])).to.deep.equal([...'!!!!!!!!!!✗✗✗✗✗✗✗✗✗✗']);
    expect(lines[21]).to.equal(
      '  … 20 more with errors, 20 more failed: assay export 3f9a0c12be77 -f csv',
    );
    expect(await report(rows, { columns: 60 })).to.include(
      '… 20 more with errors, 20 more failed\n',
    );
  });

  it('tells why results failed, each reason once', async () => {
    const because = (notes: string): SavedRow => ({
      end: { scores: [{ key: 'correctness', passed: false, notes }] },
    });
    const lines = await report([
      because('must be polite\nwas rude'),
      because('must be polite\nwas rude'),
      because('too long'),
      because('calls differ\n\n+ actual - expected\n\n  [\n+   "stop"\n-   "start"\n  ]'),
    ]);
    expect(lines).to.include(
      text(
        '  ✗ review[0] and 1 more   correctness: must be polite',
        '    was rude',
        '  ✗ review[2]   correctness: too long',
        '  ✗ review[3]   correctness: calls differ',
        '    + actual - expected',
        '      [',
        '    +   "stop"',
        '    -   "start"',
        '      ]',
      ),
    );
    expect(lines.match(/must be polite/g)).to.have.length(1);
  });

  it('says how to see notes that are too long for a terminal, and has them whole elsewhere', async () => {
    const notes = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n');
    const rows = [{ end: { scores: [{ key: 'exact', passed: false, notes }] } }];
    const narrow = await report(rows);
    expect(narrow).to.include('    line 30\n    … all of it: assay show 3f9a0c12be77 ');
    expect(narrow).to.include(' "review[0]"\n');
    expect(await report(rows, { columns: Number.POSITIVE_INFINITY })).to.include('    line 99\n');
  });

  it('reads the values of results that failed alone', async () => {
    const run = await savedRun(Array.from({ length: 1000 }, (_, at) => (at % 25 ? pass : failure)));
    const read = new Set<number>();
    const counting: ReportedRun = {
      rows: run.rows,
      summary: () => run.summary(),
      head: () => run.head(),
      entry: (index) => {
        read.add(index);
        return run.entry(index);
      },
    };
    render(counting);
    expect(read.size).to.equal(40);
  });

  it('has no table when all is well', async () => {
    const lines = await report(Array.from({ length: 26 }, () => pass));
    expect(lines).to.match(/^ {2}exact {3}█{20} {3}100\.0 %/);
  });

  it('shows bars for the twenty worst scores when there are more', async () => {
    const scores = Array.from({ length: 30 }, (_, at) => ({
      key: `score ${at}`,
      passed: at !== 27,
    }));
    const lines = await report([{ end: { scores } }]);
    expect(lines.match(/[█░]{20}/g)).to.have.length(21);
    expect(lines).to.match(/pass rate.*\n {2}score 27 .* 0\.0 %.*\n {2}score 0 /);
    expect(lines).to.include('\n  … 10 more scores\n');
  });
});

describe('the report of trials', () => {
  const rows = [
    ...trials('refund', 'pppfp'),
    ...trials('cancel', 'ppppp'),
    ...trials('upsell', 'fffff'),
  ];

  it('has a line for each evaluation and the estimates with their intervals', async () => {
    expect(await report(rows)).to.equal(
      text(
        '  refund   ●●●○●   4/5   flaky',
        '    ~4   "text 3"   → "positive"',
        '  cancel   ●●●●●   5/5',
        '  upsell   ○○○○○   0/5',
        '    ~1   "text 10"   → "positive"',
        '',
        '  pass@1 60.0 % (15.6–97.9)',
        '  pass@5 66.7 % (20.8–98.3)',
        '  pass^5 33.3 % (1.7–79.2)',
        '  (3 cases × 5 trials, 95 % intervals)',
        '',
        '  exact   ████████████░░░░░░░░   60.0 %   9 of 15   95 %: 15.6–97.9',
        '  15 trials · 9 passed · 6 failed · 0 errors · 1 flaky · p50 0.2 ms, p95 0.2 ms',
        '  3.0 s',
        '  saved as 3f9a0c12be77 in session default',
        '  next: the first of 6 failures · run them again · run what changed · the page',
        '  assay show 3f9a0c12be77 refund',
        '  assay run --rerun 3f9a0c12be77 --only failed',
        '  assay run --rerun 3f9a0c12be77 --only changed',
        '  assay serve --run 3f9a0c12be77',
      ),
    );
    expect(await report(rows, { columns: 120 })).to.include(
      '\n  pass@1 60.0 % (15.6–97.9)   pass@5 66.7 % (20.8–98.3)   pass^5 33.3 % (1.7–79.2)\n  (3 cases × 5 trials, 95 % intervals)\n',
    );
  });

  it('has an interval of a width when all evaluations are alike, and takes one for one', async () => {
    const alike = Array.from({ length: 3 }, (_, at) => trials(`case ${at}`, 'ppppp')).flat();
    const all = wilsonInterval(3, 3).low ?? 0;
    expect(await report(alike, { columns: 120 })).to.include(
      `\n  pass@1 100.0 % (${(all * 100).toFixed(1)}–100.0)   pass@5 100.0 % (${(all * 100).toFixed(1)}–100.0)`,
    );
    // Of one result 0.8 passed and 0.2 failed: from −ln(0.95) · 0.8 to 1 + ln(0.95) · 0.2.
    expect(await report(trials('refund', 'pppfp'))).to.include('\n  pass@1 80.0 % (4.1–99.0)');
  });

  it('says how many evaluations have so many trials, where not all have', async () => {
    const uneven = [...trials('refund', 'ppp'), ...trials('cancel', 'pf')];
    expect(await report(uneven, { columns: 160 })).to.match(
      /pass@1 75\.0 % \([\d.–]+\) {3}pass@3 100\.0 % \([\d.–]+, n 1\)/,
    );
  });

  it('has no estimate of what nobody graded', async () => {
    const ungraded = trials('refund', 'ppp').map((row): SavedRow => {
      return { ...row, end: { scores: [{ key: 'size', value: 3 }] } };
    });
    const lines = await report(ungraded);
    expect(lines).to.include('\n  pass@k –, no verdict   (1 case × 3 trials)\n');
    expect(lines).not.to.include('0.0 %');
    expect(lines).to.match(/^ {2}refund {3}––– {3}no verdict {3,}size 3$/m);
  });

  it('has marks for errors and cancelled trials, and bars for very many', async () => {
    const mixed = [...trials('lost', 'ecpf'), pass, ...trials('many', 'pf'.repeat(100))];
    const lines = (await report(mixed, { columns: 60, withErrors: true })).split('\n');
    expect(lines.slice(0, 8)).to.deep.equal([
      '  lost        !·●○                   1/4       flaky',
      '    ~1   "text 0"   → Error: lost',
      '  review[4]   ●                      1/1',
      '  many        ██████████░░░░░░░░░░   100/200   flaky',
      '    ~2   "text 6"   → "positive"',
      '',
      '  ! lost~1',
      '    Error: lost',
    ]);
    expect(lines).to.include('  (2 cases, 204 trials, 95 % intervals)');
    expect(lines.join('\n')).to.include('205 results · ');
  });

  it('shows twenty of many evaluations that did not pass', async () => {
    const many = Array.from({ length: 50 }, (_, at) => trials(`case ${at}`, 'pf')).flat();
    const lines = (await report(many)).split('\n');
    expect(lines[38]).to.equal('  case 19   ●○   1/2   flaky');
    expect(lines[39]).to.equal('    ~2   "text 39"   → "positive"');
    expect(lines[40]).to.equal('  … 30 more failed: assay export 3f9a0c12be77 -f csv');
  });
});

describe('errors in a report', () => {
  it('are told after the table when asked for, the same ones once, five at most', async () => {
    const others = Array.from({ length: 8 }, (_, at): SavedRow => {
      return { end: { status: 'error', error: `Error: number ${at}` } };
    });
    const lines = await report([error, ...others, error], { withErrors: true });
    const [, told = ''] = lines.split('\n\n  !');
    expect(told).to.equal(
      ' review[0] and 1 more like it\n    TypeError: no text\n      at f (/x.ts:1:2)',
    );
    expect(lines.match(/^ {4}\w*Error: /gm)).to.have.length(5);
    expect(lines).to.include('\n\n  … 4 more errors\n\n');
    expect(await report([error])).not.to.include('/x.ts');
  });
});

describe('a report of hostile text', () => {
  const evil = '\x1b]0;owned\x07\x1b[2J\u202e\u2066\x9b31m\r\n\t\ud800';
  const rows: readonly SavedRow[] = [
    {
      plan: { function: `na\u202eme 1`, input: { [evil]: evil } },
      end: { output: evil, scores: [{ key: evil, passed: false }] },
    },
    { plan: { function: 'two' }, end: { status: 'error', error: `${evil}\n    at ${evil}` } },
    { plan: { function: 'three' }, end: { scores: [{ key: `a${evil}`, value: 3 }] } },
  ];

  it('has nothing in it that a terminal obeys', async () => {
    for (const columns of [60, 80, 120, 200]) {
      const lines = await report(rows, { columns, withErrors: true });
      expect(lines).not.to.match(/(?!\n)[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
    }
    expect(await report(rows, { columns: 200 })).to.include(String.raw`na\u{202e}me 1`);
  });

  it('stays inside its columns and in its lines', async () => {
    for (const columns of [60, 80, 120]) {
      const lines = (await report(rows, { columns, withErrors: true })).trimEnd().split('\n');
      // Commands are whole, to be copied.
      for (const line of lines.filter((one) => !one.startsWith('  assay '))) {
        expect(stringWidth(line)).to.be.at.most(columns);
      }
      expect(lines.findIndex((line) => line.startsWith('  ! two'))).to.equal(2);
    }
  });

  it('stays small however large the values are', async () => {
    const large = ['x'.repeat(1_000_000), `e${'\u0301'.repeat(1_000_000)}`, '😀'.repeat(500_000)];
    const lines = await report(large.map((input) => ({ plan: { input }, end: { output: input } })));
    expect(lines.length).to.be.below(3000);
    expect(lines).to.be.a('string').that.does.not.include(String.raw`\u{d83d}`);
  });
});

describe('a report of wide text', () => {
  it('keeps its columns aligned', async () => {
    const outputs = [
      'plain',
      '日本語',
      '🫠🫠',
      'नमस्ते',
      'สวัสดี',
      '👨‍👩‍👧 family',
      'مَرْحَبًا',
      'e\u0301',
      '\ue000\ue001',
    ];
    const rows = outputs.map((output) => ({
      plan: { input: output },
      end: graded(true, { output }),
    }));
    const lines = (await report(rows, { columns: 100 })).split('\n').slice(1, 1 + rows.length);
    const starts = lines.map((line) => stringWidth(line.slice(0, line.lastIndexOf('   '))));
    const ends = lines.map((line) => line.slice(line.lastIndexOf('   ') + 3));
    expect(ends).to.deep.equal(outputs.map((output) => JSON.stringify(output)));
    // What stands before the last column is filled up to the same width, whatever it holds.
    expect(new Set(starts), starts.join(' ')).to.have.property('size', 1);
  });
});

describe('a cell that begins with a mark', () => {
  it('has something to put it on', async () => {
    const error = '\u0301x 日本';
    const lines = await report([{ end: { status: 'error', error } }, pass]);
    expect(lines).to.include('"text 0"   ◌\u0301x 日本\n');
  });
});

describe('colours of a report', () => {
  it('come on top of the same text', async () => {
    const run = await savedRun([...few, pass]);
    const coloured = render(run, { colours: new Chalk({ level: 1 }), withErrors: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    const bare = coloured.replace(/\x1b\[\d+m/g, '');
    expect(coloured).to.include('\x1b[31m✗ review[0]');
    expect(bare).to.equal(render(run, { withErrors: true }));
  });
});

describe('the report of results that ran to verify what is carried', () => {
  const plan = { function: 'faq', id: 'a.eval.ts::faq' };
  const graded = (passed: boolean, notes: string) => [{ key: 'exact', passed, notes }];
  const terms = 'Please have a look at our terms. '.repeat(20);

  /** The lines about a verification, of one result: what was carried, and what came of the new draw. */
  async function lines(
    before: Partial<CountedAttempt>,
    end: NonNullable<SavedRow['end']>,
    columns = 80,
  ): Promise<string[]> {
    const run = await savedRun([{ plan, end }]);
    const [row] = run.rows;
    if (row === undefined) throw new Error('no row');
    const counted = { output: null, latency: 1, error: null, scores: [], ...before };
    const carried = { ...row, status: 'completed', outputHash: 'other', ...before } as const;
    const rows = [{ ...row, verifies: true as const, counted: carried }];
    const verified = verifiedOf(rows);
    const reported: ReportedRun = {
      rows,
      head: () => run.head(),
      summary: () => ({ ...run.summary(), ...(verified && { verified }) }),
      entry: (index) => ({ ...run.entry(index), counted: { status: 'completed', ...counted } }),
    };
    const all = render(reported, { columns }).split('\n');
    const from = all.findIndex((line) => line.includes('carried wrongly?'));
    return all.slice(
      from,
      all.findIndex((line) => line.includes('saved as')),
    );
  }

  it('shows both outputs, verdicts and notes of a result that differs', async () => {
    expect(
      await lines(
        { output: { days: 30 }, scores: graded(true, 'as in the terms') },
        { output: { days: 14 }, scores: graded(false, 'not as in the terms') },
      ),
    ).to.deep.equal([
      '  carried wrongly? a.eval.ts::faq: carried pass, now fail, no model was called',
      '    output   - {"days":30}',
      '             + {"days":14}',
      '    exact    - pass: as in the terms',
      '             + fail: not as in the terms',
    ]);
  });

  it('shortens long outputs around their difference, and wraps them', async () => {
    const [, , ...of] = await lines(
      { output: `${terms}Refunds take 30 days. ${terms}` },
      { output: `${terms}Refunds take 14 days. ${terms}` },
      60,
    );
    const text = of.join(' ').replace(/\s+/g, ' ');
    expect(text).to.match(/- …[^+]*Refunds take 30 days[^+]*… \+ ….*Refunds take 14 days/);
    expect(text.length).to.be.lessThan(600);
    for (const line of of) expect(stringWidth(line)).to.be.at.most(60);
  });

  it('shows an error beside the output, without the stack', async () => {
    const error = 'TypeError: no text\n    at f (/x.ts:1:2)';
    const ended = { status: 'error', output: null, error } as const;
    const [, ...of] = await lines({ output: 'Thirty', scores: graded(true, 'right') }, ended);
    expect(of).to.deep.equal([
      '    outcome   - "Thirty"',
      '              + error: TypeError: no text',
    ]);
  });

  it('escapes what an output hides', async () => {
    const shown = (await lines({ output: 'a\u202eb' }, { output: 'a\u{e0041}b' })).join('\n');
    expect(shown).to.include('\\u{202e}').and.include('\\u{e0041}');
  });
});
