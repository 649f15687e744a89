import { expect } from 'chai';
import { Chalk } from 'chalk';
import { RunView, type RunViewOptions, wantsLiveLine } from '../../../src/cli/run/run-view.js';
import type { FinishedResult, RunEvent } from '../../../src/runner/events.js';
import { until } from '../../helpers/project.js';
import { Screen } from '../screen.js';

type Opened = Extract<RunEvent, { type: 'opened' }>;

function view(change: Partial<RunViewOptions> = {}, columns = 100) {
  const screen = new Screen(columns);
  const clock = { milliseconds: 0 };
  const options: RunViewOptions = {
    stream: screen,
    columns: 80,
    isTerminal: false,
    colours: new Chalk({ level: 0 }),
    verbose: false,
    env: {},
    nameOf: (index) => `review[${index}]`,
    cwd: '/nowhere',
    now: () => clock.milliseconds,
    ...change,
  };
  return { screen, clock, view: new RunView(options) };
}

function discovered(files: readonly string[], evaluations: number, skipped = 0): RunEvent {
  return { type: 'discovered', files, evaluations, skipped, onlyMarked: false };
}

function opened(selected: number, change: Partial<Opened> = {}): RunEvent {
  return {
    type: 'opened',
    run_id: '3f9a0c12be77',
    run_name: 'brisk-otter',
    session_name: 'default',
    config_name: 'default',
    selected,
    rows: selected,
    ...change,
  };
}

function result(index: number, verdict: boolean | string): FinishedResult {
  const isError = typeof verdict === 'string';
  return {
    index,
    id: `a.eval.ts::review[${index}]`,
    outcome: {
      status: isError ? 'error' : 'completed',
      output: null,
      scores: isError ? [] : [{ key: 'exact', passed: verdict }],
      error: isError ? verdict : null,
      latency: 0.1,
      trace_data: {},
      regradable: false,
    },
  };
}

function results(from: number, count: number, verdict: boolean | string): RunEvent {
  const made = Array.from({ length: count }, (_, at) => result(from + at, verdict));
  return { type: 'finished', results: made };
}

describe('the first line of a run', () => {
  function firstLine(columns: number, ...events: readonly RunEvent[]): string {
    const shown = view({}, columns);
    for (const event of events) shown.view.onEvent(event);
    return shown.screen.text;
  }

  it('names file, evaluations, session, run and config', () => {
    expect(firstLine(100, discovered(['evals/sentiment.eval.ts'], 1000), opened(1000))).to.equal(
      'sentiment.eval.ts · 1,000 cases · session default · run brisk-otter · config default\n',
    );
  });

  it('counts several files, trials and what was skipped', () => {
    const events = [discovered(['a.eval.ts', 'b.eval.ts'], 3, 2), opened(15)];
    expect(firstLine(120, ...events)).to.equal(
      '2 files · 3 cases × 5 trials · 2 skipped · session default · run brisk-otter · config default\n',
    );
    expect(firstLine(120, discovered(['a.eval.ts'], 3), opened(7))).to.match(/3 cases, 7 trials/);
  });

  it('counts what is to run where that is not all', () => {
    const texts = [
      [6, opened(4, { rows: 6, regraded: [1] }), '6 cases, 3 to run, 1 to regrade'],
      [2, opened(2, { rows: 6 }), '2 cases × 3 trials, 2 to run'],
      [6, opened(0, { rows: 6 }), '6 cases, 0 to run'],
    ] as const;
    for (const [cases, event, text] of texts) {
      expect(firstLine(100, discovered(['a.eval.ts'], cases), event)).to.include(` · ${text} · `);
    }
  });

  it('does without files when rows of a saved run are run again', () => {
    expect(firstLine(100, opened(12))).to.match(/^12 results · session default/);
  });

  it('is broken between its parts when it is too long', () => {
    const events = [discovered(['sentiment.eval.ts'], 1000), opened(1000)];
    expect(firstLine(60, ...events)).to.equal(
      'sentiment.eval.ts · 1,000 cases · session default\nrun brisk-otter · config default\n',
    );
  });

  it('escapes names', () => {
    expect(firstLine(100, opened(1, { run_name: 'a\u202eb' }))).to.include(
      String.raw`run a\u{202e}b`,
    );
  });
});

describe('a run shown without a terminal', () => {
  it('tells progress every ten seconds or ten percent, whichever is rarer', () => {
    const { screen, clock, view: shown } = view();
    shown.onEvent(opened(1000));
    screen.text = '';
    for (let done = 0; done < 1000; done += 50) {
      clock.milliseconds += 4000;
      shown.onEvent(results(done, 50, true));
    }
    shown.end();
    const counts = screen.lines.map((line) => line.split(' passed')[0]?.trim());
    expect(counts).to.deep.equal([
      ...['150', '300', '450', '600', '750', '900'].map((n) => `${n} of 1,000   ${n}`),
      '',
    ]);
    expect(screen.lines[0]).to.equal(
      '  150 of 1,000   150 passed   0 errors   12.0 s, 1 min 8 s left',
    );
  });

  it('says nothing about a short run', () => {
    const { screen, view: shown } = view();
    shown.onEvent(opened(10));
    screen.text = '';
    shown.onEvent(results(0, 10, false));
    shown.end();
    expect(screen.text).to.equal('');
  });

  it('tells errors as they happen, and stops after twenty', () => {
    const { screen, view: shown } = view();
    shown.onEvent(opened(100_000));
    screen.text = '';
    shown.onEvent(results(0, 3, 'Error: lost\n    at f (/x.ts:1:2)'));
    expect(screen.lines.slice(0, 3)).to.deep.equal([
      '  ! review[0]',
      '    Error: lost',
      '      at f (/x.ts:1:2)',
    ]);
    shown.onEvent(results(3, 50_000, 'Error: lost'));
    shown.onEvent(results(50_003, 10, 'Error: lost'));
    expect(screen.text.match(/! review/g)).to.have.length(20);
    expect(screen.text.match(/… more errors follow in the table\n/g)).to.have.length(1);
  });

  it('never moves the cursor', () => {
    const { screen, view: shown } = view();
    shown.onEvent(opened(10));
    shown.onEvent({ type: 'paused' });
    shown.onEvent({ type: 'resumed' });
    shown.onEvent({ type: 'warned', text: 'a \x1b[2J\nb' });
    shown.onEvent({ type: 'stopped', cancelled: 7 });
    shown.end();
    expect(screen.text).not.to.include('\x1b').and.not.to.include('\r');
    expect(screen.lines.slice(1)).to.deep.equal([
      '  paused',
      '  resumed',
      String.raw`! a \u{1b}[2J`,
      '  b',
      '  stopping, 7 cancelled',
      '',
    ]);
  });
});

describe('what evaluations print', () => {
  function printed(index: number | undefined, text: string): RunEvent {
    return { type: 'printed', ...(index === undefined ? {} : { index }), stream: 'stdout', text };
  }

  it('is shown in whole lines with the name in front when asked for', () => {
    const { screen, view: shown } = view({ verbose: true });
    shown.onEvent(opened(5));
    screen.text = '';
    shown.onEvent(printed(1, 'one\ntw'));
    shown.onEvent(printed(2, 'other\n'));
    shown.onEvent(printed(1, 'o\n\n'));
    shown.onEvent(printed(undefined, 'nobody\n'));
    shown.onEvent(printed(2, 'left \x1b[2J over'));
    shown.onEvent(results(2, 1, true));
    shown.onEvent(printed(3, 'never ended'));
    shown.end();
    shown.end();
    expect(screen.lines).to.deep.equal([
      'review[1] │ one',
      'review[2] │ other',
      'review[1] │ two',
      'review[1] │ ',
      'nobody',
      String.raw`review[2] │ left \u{1b}[2J over`,
      'review[3] │ never ended',
      '',
    ]);
  });

  it('is not shown otherwise', () => {
    const { screen, view: shown } = view();
    shown.onEvent(printed(1, 'one\n'));
    shown.end();
    expect(screen.text).to.equal('');
  });

  it('is not kept back for ever when no line ends', () => {
    const { screen, view: shown } = view({ verbose: true });
    for (let i = 0; i < 1000; i += 1) shown.onEvent(printed(1, 'x'.repeat(100)));
    expect(screen.text.length).to.be.above(90_000);
  });
});

describe('a run shown on a terminal', () => {
  it('has one live line, and nothing of it stays', () => {
    const { screen, clock, view: shown } = view({ isTerminal: true });
    shown.onEvent(opened(1000));
    const start = screen.text;
    expect(start).to.match(/default\n {2}░{24} {3}0 of 1,000 {3}0 errors {3}0\.0 s$/);
    clock.milliseconds = 2100;
    shown.onEvent(results(0, 551, true));
    shown.onEvent(results(551, 190, false));
    shown.onEvent(results(741, 1, 'Error: lost'));
    screen.text = '';
    shown.note('on');
    expect(screen.text).to.equal(
      '\r\x1b[J! on\n  █████████████████░░░░░░░   742 of 1,000   551 passed   1 error   2.1 s, 0.7 s left',
    );
    screen.text = '';
    shown.end();
    shown.end();
    expect(screen.text).to.equal('\r\x1b[J');
  });

  it('says what it waits for when importing or saving takes long', async () => {
    const { screen, view: shown } = view({ isTerminal: true });
    shown.onEvent({ type: 'importing', files: 3 });
    expect(screen.text).to.equal('');
    await until(() => screen.text !== '', 'a line');
    expect(screen.text).to.equal('  importing 3 files …');
    shown.onEvent(discovered(['a.eval.ts'], 100_000));
    await until(() => screen.text.endsWith('\r\x1b[J  saving 100,000 cases …'), 'another');
    screen.text = '';
    shown.onEvent(opened(100_000));
    shown.end();
    const [taken, first, live, end] = screen.text.split(/(?<=\n)|(?=\r)|(?<=\[J)/);
    expect([taken, end]).to.deep.equal(['\r\x1b[J', '\r\x1b[J']);
    expect(first).to.match(/^a\.eval\.ts · 100,000 cases · /);
    expect(live).to.match(/^ {2}░{24} {3}0 of 100,000 /);
  });

  it('says nothing of it when it is soon over, or fails', async () => {
    const short = view({ isTerminal: true });
    short.view.onEvent({ type: 'importing', files: 1 });
    short.view.end();
    const plain = view();
    plain.view.onEvent({ type: 'importing', files: 1 });
    const long = view({ isTerminal: true });
    long.view.onEvent({ type: 'importing', files: 1 });
    await until(() => long.screen.text !== '', 'a line');
    expect([short.screen.text, plain.screen.text]).to.deep.equal(['', '']);
    long.view.end();
    expect(long.screen.text.endsWith('\r\x1b[J')).to.equal(true);
  });

  it('fits the live line into any terminal', () => {
    const { screen, clock, view: shown } = view({ isTerminal: true });
    shown.onEvent(opened(100_000));
    shown.onEvent(results(0, 12_345, true));
    clock.milliseconds = 600_000;
    let line = '';
    for (let columns = 20; columns <= 200; columns += 1) {
      screen.text = '';
      screen.resize(columns);
      // Nothing is written when the same line fits again.
      line = screen.text.split('\x1b[J').at(-1) || line;
      expect(line.length).to.be.within(10, columns - 1);
    }
    shown.end();
  });

  it('takes a width of 80 where the terminal says 0', () => {
    const { screen, view: shown } = view({ isTerminal: true, columns: 0 }, 0);
    shown.onEvent(opened(10));
    shown.end();
    expect(screen.text).to.match(/default\n {2}░{24} {3}0 of 10 {3}0 errors {3}0\.0 s\r/);
  });

  it('says when the run is paused or stopping', () => {
    const { screen, view: shown } = view({ isTerminal: true });
    shown.onEvent(opened(10));
    shown.onEvent({ type: 'paused' });
    shown.note('x');
    expect(screen.text).to.match(/0\.0 s, paused$/);
    shown.onEvent({ type: 'stopped', cancelled: 10 });
    shown.note('x');
    expect(screen.text).to.match(/0\.0 s, stopping$/);
    shown.end();
  });

  it('is live only where that works and nothing speaks against it', () => {
    expect(wantsLiveLine(true, { TERM: 'xterm' })).to.equal(true);
    expect(wantsLiveLine(true, { CI: 'false', NO_COLOR: '' })).to.equal(true);
    expect(wantsLiveLine(false, {})).to.equal(false);
    for (const env of [{ CI: 'true' }, { CI: '1' }, { NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      expect(wantsLiveLine(true, env), JSON.stringify(env)).to.equal(false);
    }
  });
});
