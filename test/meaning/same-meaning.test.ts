import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import type { RunJson } from '../../src/model/run.js';
import { builtUi, openPage } from '../helpers/browser.js';
import type { Project } from '../helpers/project.js';
import { RedisUnderTest, workHere } from '../helpers/redis.js';
import { ServedProject } from '../helpers/served-project.js';
import { type MeaningProject, makeProject } from './project.js';
import { find, meanText, rateText, runEventOf, type Said } from './read.js';

/**
 * What the answers of the model mean. Counts are those of `answers.ts`; intervals, and the p-value over all 2²³ signs, are
 * the formulas of `docs/statistics.md`, worked out with scipy.
 */
const first = {
  'pass rate': '70.2 % 33 of 47 56.0–81.3',
  exact: '91.5 % 43 of 47 79.8–96.7',
  'rating (value)': '3.149 mean of 47 2.704–3.54',
  spent: '47 calls · 47k tokens in, 4.7k out · $0.0940',
};
/** 40 results ran with the second prompt, a person has corrected one, and 4 of those that failed ran again. */
const expected: Readonly<Record<string, string>> = {
  'pass rate': '46.7 % 21 of 45 31.0–63.1',
  'pass rate, without counts': '46.7 % 31.0–63.1',
  exact: '74.4 % 32 of 43 56.8–86.5',
  rating: '76.7 % 33 of 43 62.3–86.8',
  'rating (value)': '2.651 mean of 43 2.284–2.973',
  near: '0.638 mean of 43 0.583–0.686',
  'near ≥ 0.6': '60.5 % 26 of 43 42.5–76.0',
  words: '22 29.8 of 45',
  verdicts: '21 passed, 22 failed, 2 errors, 2 without',
  errors: '2 errors',
  'no verdict': '2 no verdict',
  repeats: '24 pass now: 4 of 4 passed when run again',
  again: '4 of 4 passed when run again',
  spent: '44 calls · 44k tokens in, 4.4k out · $0.0880',
  replaced: '4 calls, $0.0080',
  taken: '3 carried: 3 calls, $0.0060; 2 regraded: 2 calls, $0.0040; 2 replayed: 2 calls, $0.0040',
  'cost beside what was taken': '$0.0880 ($0.0140)',
  gate: 'pass rate 46.7 % (21 of 45; 2 errors) is under 50 %; 43 of 47 results have a verdict, 2 have none',
  'pass rate against the base': '69.6 → 47.8 −21.7 −38.4 to −1.6 23 .028',
  'words against the base': '+6.283 23 <.001 worse',
  'calls against the base': '22',
  regression:
    'near 0.755 → 0.641 on average (p <.001), near (passed) 86.4 % → 61.4 % (p .008), words 15.217 → 21.5 on average (p <.001); errors 0 → 2',
  'a case that ran again': 'regressed 0 of 2',
  // Of the run before.
  ...Object.fromEntries(Object.entries(first).map(([figure, text]) => [`first: ${figure}`, text])),
  passes: 'pass 2 of this run; before: 70.2 %',
};

describe('every surface', function () {
  this.timeout(180_000);
  const said: Said = {};

  before(async () => {
    const made = await makeProject();
    const { project, assay } = made;
    const parts = project.copy();
    const elsewhere = project.copy();
    note(
      'terminal',
      prefixed(terminal(await assay(project, 'run', '--record', '--run-name', 'base'))),
    );
    const again = await assay(project, 'run', '--rerun', 'base', '--record=all');
    note('terminal', { passes: find(again, /(?<a>pass 2 .*)/) });
    made.edit();
    await assay(project, 'run', '--changed', '--replay', '--run-name', 'second');
    await assay(project, 'run', '--rerun', 'second', '--only', 'failed', '--limit', '2');
    const served = await ServedProject.start(project, { ui: builtUi });
    const [{ run_id: id }, { run_id: base }] = await listed(served);
    note('SSE', ofSummary(await runEventOf(served, id, () => correct(served, id))));
    await readCommands(made);
    await readApi(served, id, base);
    await readPages(served, id, base);
    await readMerged(made, parts);
    await readWorkers(made, elsewhere);
  });

  /** Takes down what a surface says. */
  function note(surface: string, figures: Readonly<Record<string, string>>): void {
    for (const [figure, text] of Object.entries(figures)) {
      said[figure] = { ...said[figure], [surface]: text };
    }
  }

  for (const [figure, text] of Object.entries(expected)) {
    it(`says the same: ${figure}`, () => {
      const surfaces = Object.keys(said[figure] ?? {});
      expect(surfaces).to.not.have.lengthOf(0);
      expect(said[figure]).to.deep.equal(Object.fromEntries(surfaces.map((name) => [name, text])));
    });
  }

  async function readCommands({ project, assay }: MeaningProject): Promise<void> {
    const gates = ['--fail-under', '0.5'];
    const reporters = ['--reporter', 'github', '--reporter', 'junit=junit.xml'];
    const report = await assay(project, 'run', '--resume', 'second', ...gates, ...reporters);
    note('run', { ...terminal(report), gate: find(report, /✗ (?<a>pass rate .*)/) });
    note('show', terminal(await assay(project, 'show', 'second')));
    note('GitHub', markdownTable(project.read('summary.md'), 'github'));
    note('JUnit', junit(project.read('junit.xml')));
    const gated = await assay(project, 'sessions', 'gate', 'second', ...gates);
    note('gate', { gate: find(gated, /✗ (?<a>pass rate .*)/), repeats: repeatsIn(gated) });
    const shown = await assay(project, 'sessions', 'show', 'default');
    note('sessions show', {
      'pass rate': find(shown, /second .* (?<b>\d+ of \d+) +2 +(?<a>[\d.]+ %) +(?<c>\S+)/),
      repeats: repeatsIn(shown),
    });
    const sessions = await assay(project, 'sessions');
    note('sessions', {
      'pass rate, without counts': find(sessions, /second .* (?<a>[\d.]+ %) \S+ +(?<b>\S+)/),
    });
    note('Markdown', markdownTable(await assay(project, 'export', 'second', '-f', 'md'), 'export'));
    note('CSV', csv(await assay(project, 'export', 'second', '-f', 'csv')));
    note('JSON', ofRun(JSON.parse(await assay(project, 'export', 'second', '-f', 'json'))));
    const compare = ['sessions', 'compare', 'base', 'second'];
    note('compare', comparedText(await assay(project, ...compare)));
    note('compare, Markdown', comparedText(await assay(project, ...compare, '-f', 'md'), ' \\| '));
    note('compare, JSON', ofComparison(JSON.parse(await assay(project, ...compare, '--json'))));
    await assay(project, 'sessions', 'bless', 'base', 'base.json');
    const against = ['--baseline', 'base.json', '--fail-on', 'regression'];
    note('baseline', comparedText(await assay(project, 'sessions', 'gate', 'second', ...against)));
  }

  async function readApi(served: ServedProject, id: string, base: string): Promise<void> {
    const [run] = await listed(served);
    const { passed, total, ...interval } = run.pass_rate;
    note('API, runs', {
      'pass rate': rateText(passed, total, interval),
      again: againOf(run.repeats),
    });
    note('API, run', ofRun((await served.get(`/api/runs/${id}/data`)).body));
    const { summary } = (await served.get(`/api/runs/${id}/rows`)).body;
    const { counts, chips, usage } = summary;
    note('API, rows', {
      'pass rate': rateText(counts.pass_rate.passed, counts.pass_rate.total, counts.pass_rate),
      ...ofScores(chips),
      ...ofUsage(usage),
    });
    note(
      'API, compare',
      ofComparison((await served.get(`/api/compare?run=${base}&run=${id}`)).body),
    );
  }

  async function readPages(served: ServedProject, id: string, base: string): Promise<void> {
    const { page } = await openPage();
    await page.goto(`${served.url}/?run=${id}`);
    const summary = page.getByRole('region', { name: /^Summary/ });
    await summary.getByText('last 2 runs').waitFor();
    const text = (await summary.innerText()).replace(/\s+/g, ' ').replaceAll(' / ', ' of ');
    const titles = await titlesOf(page);
    note('dashboard', {
      'pass rate': [
        find(text, /^(?<a>[\d.]+ %) passed/),
        find(titles, /^(?<a>\d+ of \d+) passed; counted/m),
        find(text, / passed (?<a>\S+–\S+)/),
      ].join(' '),
      ...pageScores(text),
      'no verdict': find(text, /(?<a>2 no verdict)/),
      errors: find(text, /(?<a>2 errors)/),
      repeats: repeatsIn(text),
      spent: find(text, / (?<c>\$[\d.]+) (?<a>\d+ calls) (?<b>.* in, 4.4k out) /).replace(
        /(calls|out) /g,
        '$1 · ',
      ),
      replaced: find(text, replacedIn),
      taken: find(text, /\((?<a>3 carried: .*)\)/).replace(') (', '; '),
    });
    await page.goto(`${served.url}/compare?run=${base}&run=${id}`);
    const runs = page.getByRole('group', { name: 'Runs' });
    await page.getByText('−21.7').first().waitFor();
    const said = (await runs.innerText()).replace(/\s+/g, ' ');
    const whole = await titlesOf(page);
    note('compare page', {
      again: find(said, /(?<a>\d+ of \d+ passed when run again)/),
      'pass rate': find(
        `${said} ${whole}`,
        /.*second .*? (?<a>[\d.]+ %) .*?(?<c>\d\S+–\S+) [\s\S]* B \1 \((?<b>\d+\/\d+)\)/,
      ).replace('/', ' of '),
      'pass rate against the base': find(
        whole,
        /^(?<a>69\S+ → \S+), (?<b>\S+) points, 95 % interval (?<c>.*), over (?<d>\d+) pairs, p (?<e>[^:,]*)/m,
      ),
    });
    note('pairs', await pairOf(served, id, base));
  }

  async function readMerged({ assay }: MeaningProject, project: Project): Promise<void> {
    for (const part of [1, 2]) {
      await assay(project, 'run', '--shard', `${part}/2`, '--results-dir', `part${part}`);
    }
    await assay(project, 'sessions', 'merge', 'part1', 'part2', '--name', 'whole');
    note('merged shards', prefixed(terminal(await assay(project, 'show', 'latest'))));
  }

  async function readWorkers({ assay, env }: MeaningProject, project: Project): Promise<void> {
    const redis = await RedisUnderTest.start();
    await workHere(project, { url: redis.url, env });
    note('workers', prefixed(terminal(await assay(project, 'run', '--redis', redis.url))));
  }
});

/** What is said of the run before. */
function prefixed(figures: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(figures).filter(([figure]) => figure in first);
  return Object.fromEntries(own.map(([figure, text]) => [`first: ${figure}`, text]));
}

const repeatsIn = (text: string) => find(text, /(?<a>\d+ pass now: .* run again)/);

/** The report of a run. */
function terminal(text: string): Record<string, string> {
  const rate = (name: string) =>
    find(
      text,
      new RegExp(`^ +${name} +[█░]* +(?<a>[\\d.]+ %) +(?<b>\\d+ of \\d+) +95 %: (?<c>.*)`, 'm'),
    );
  const mean = (name: string) =>
    find(
      text,
      new RegExp(`^ +${name} +[█░]* +(?<a>[\\d.]+) +(?<b>mean of \\d+) +95 %: (?<c>.*)`, 'm'),
    );
  return {
    'pass rate': rate('pass rate'),
    exact: rate('exact'),
    rating: rate('rating'),
    'rating (value)': mean('\\(value\\)'),
    near: mean('near'),
    'near ≥ 0.6': rate('≥ 0.6'),
    words: find(text, /words .* (?<a>[\d.]+) +p50 (?<c>of \d+) +p95 (?<b>.*)/),
    errors: find(text, /· (?<a>\d errors) ·/),
    'no verdict': find(text, /· (?<a>\d no verdict) ·/),
    repeats: repeatsIn(text),
    ...usageIn(text),
  };
}

const replacedIn = /(?<a>\d+ calls, \$[\d.]+) of it for replaced attempts/;

function usageIn(text: string): Record<string, string> {
  return {
    spent: find(text, /(?<a>\d+ calls · .* out · \$\d\.\d+)/),
    replaced: find(text, replacedIn),
    taken: find(text, /\((?<a>\d+ carried: .*)\)/),
  };
}

/** Tables of scores in Markdown. */
function markdownTable(escaped: string, kind: 'github' | 'export'): Record<string, string> {
  const text = escaped.replaceAll('\\', '');
  const row = (name: string, figure: string, of: string) =>
    find(
      text,
      new RegExp(
        kind === 'github'
          ? `^\\| ${name} \\| (?<a>${figure}) \\| (?<c>\\S+) \\| (?<b>${of})`
          : `^\\| ${name} \\| \\S* ?\\| (?<a>${figure}) \\| (?<c>\\S+) \\| (?<b>${of})`,
        'm',
      ),
    );
  const rate = (name: string) => row(name, '[\\d.]+ %', '\\d+ of \\d+');
  const mean = (name: string) => row(name, '[\\d.]+', 'mean of \\d+');
  return {
    'pass rate':
      kind === 'github'
        ? rate('pass rate')
        : find(text, /Pass rate: (?<a>[\d.]+ %), (?<b>\d+ of \d+) \(95 %: (?<c>\S+)\)/),
    exact: rate('exact'),
    rating: rate('rating'),
    'rating (value)': mean('rating \\(value\\)'),
    near: mean('near'),
    'near ≥ 0.6': rate('near ≥ 0.6'),
    words: find(text, /^\| words \|.* p50 (?<a>[\d.]+), p95 (?<b>[\d.]+).*(?<c>of \d+)/m),
    repeats: repeatsIn(text),
    ...(kind === 'github' && { gate: find(text, /❌ (?<a>pass rate .*)/) }),
    ...usageIn(text),
  };
}

function junit(text: string): Record<string, string> {
  const of = (name: string) =>
    Number(find(text, new RegExp(`"summary.${name}" value="(?<a>[^"]*)"`)));
  const interval = (name: string) => ({ low: of(`${name}low`), high: of(`${name}high`) });
  const rate = (name: string, total: string, bounds: string) =>
    rateText(of(`${name}.passed`), of(`${name}.${total}`), interval(`${name}.${bounds}`));
  return {
    'pass rate': rate('pass_rate', 'of', ''),
    exact: rate('scores.exact', 'total', 'interval.'),
    rating: rate('scores.rating', 'total', 'interval.'),
    'rating (value)': meanText(
      of('scores.rating.values.avg'),
      of('scores.rating.values.count'),
      interval('scores.rating.values_interval.'),
    ),
    near: meanText(
      of('scores.near.avg'),
      of('scores.near.count'),
      interval('scores.near.interval.'),
    ),
    verdicts: verdictsText({
      passed: of('verdicts.passed'),
      failed: of('verdicts.failed'),
      errors: of('verdicts.errors'),
      none: of('verdicts.none'),
    }),
  };
}

// Documents of any shape.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Document = any;

function verdictsText({ passed, failed, errors, none }: Document): string {
  return `${passed} passed, ${failed} failed, ${errors} errors, ${none} without`;
}

const againOf = ({ results, passed }: Document) => `${passed} of ${results} passed when run again`;

function ofRun(run: Document): Record<string, string> {
  return { ...ofSummary(run), ...ofUsage(run.usage) };
}

function ofSummary({ summary, repeats, total_passed }: Document): Record<string, string> {
  const { pass_rate: rate, verdicts, scores } = summary;
  return {
    'pass rate': rateText(rate.passed, rate.of, rate),
    ...ofScores(scores),
    verdicts: verdictsText(verdicts),
    ...(repeats && { repeats: `${total_passed} pass now: ${againOf(repeats)}` }),
  };
}

function ofScores(scores: readonly Document[]): Record<string, string> {
  const of = Object.fromEntries(scores.map((score) => [score.key, score]));
  const { exact, rating, near, words } = of;
  return {
    exact: rateText(exact.passed, exact.total, exact.interval),
    rating: rateText(rating.passed, rating.total, rating.interval),
    'rating (value)': meanText(rating.values.avg, rating.values.count, rating.values_interval),
    near: meanText(near.avg, near.count, near.interval),
    'near ≥ 0.6': rateText(near.passed, near.count, near.passed_interval),
    words: `${words.percentiles.p50} ${words.percentiles.p95.toFixed(1)} of ${words.count}`,
  };
}

function ofUsage({
  calls,
  input,
  output,
  cost,
  taken,
  replaced,
}: Document): Record<string, string> {
  const parts = Object.entries<Document>(taken).map(
    ([kind, one]) => `${one.results} ${kind}: ${one.calls} calls, $${one.cost.toFixed(4)}`,
  );
  return {
    spent: `${calls} calls · ${input / 1000}k tokens in, ${output / 1000}k out · $${cost.toFixed(4)}`,
    taken: parts.join('; '),
    replaced: `${replaced.calls} calls, $${replaced.cost.toFixed(4)}`,
  };
}

/** Rows of results: what was spent on each, and what it took over. */
function csv(text: string): Record<string, string> {
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  const sum = (column: string, of = rows) =>
    of.reduce((all, row) => all + Number(row[column] ?? 0), 0);
  return {
    'cost beside what was taken': `$${sum('cost').toFixed(4)} ($${sum('taken_cost').toFixed(4)})`,
    errors: `${rows.filter(({ status }) => status === 'error').length} errors`,
  };
}

/** A comparison as a table, with gaps or bars between its columns. */
function comparedText(escaped: string, gap = ' +'): Record<string, string> {
  const text = escaped.replaceAll(/\\|\*\*/g, '').replaceAll('&lt;', '<');
  const second = (measure: string, rest: string) =>
    find(text, new RegExp(`${measure}${gap}base.*\\n.*second${gap}${rest}`));
  const whole = `(?<a>[\\d.]+ %)${gap}(?<c>\\S+)${gap}(?<b>\\d+ of \\d+)`;
  const pairs = `[\\d.]+ %${gap}\\S+${gap}\\d+ of \\d+${gap}(?<a>\\S+ → \\S+) \\((?<d>\\d+)\\)${gap}(?<b>\\S+) pts${gap}(?<c>\\S+ to \\S+)${gap}(?<e>[\\d.<]+)`;
  return {
    'pass rate': second('pass rate', whole),
    exact: second('exact', whole),
    'pass rate against the base': second('pass rate', pairs),
    'words against the base': second(
      'words',
      `.* \\((?<b>\\d+)\\)${gap}mean (?<a>\\S+)${gap}unbounded values${gap}(?<c>\\S+)${gap}(?<d>\\w+)`,
    ),
    'cost beside what was taken': second('cost', `(?<a>\\S+ \\(\\S+\\))`),
    'calls against the base': second('calls', `.* → \\S+ \\((?<a>\\d+)\\)`),
    again: find(text, /second: (?<a>.* run again)/),
    regression: find(text, /(?:✗|❌) worse beyond .*: (?<a>near .* errors \d → \d)/),
  };
}

function ofComparison({ runs, comparisons }: Document): Record<string, string> {
  const [, second] = runs;
  const [{ pass_rate: rate, scores, usage, gates }] = comparisons;
  const exact = second.scores.find(({ key }: Document) => key === 'exact');
  const words = scores.find(({ key }: Document) => key === 'words');
  const percent = (one: number) => (100 * one).toFixed(1).replace('-', '−');
  const p = (one: number) => (one < 0.001 ? '<.001' : one.toFixed(3).slice(1));
  const { estimate, low, high } = rate.difference;
  return {
    'pass rate': rateText(second.pass_rate.passed, second.pass_rate.total, second.pass_rate.rate),
    exact: rateText(exact.passed, exact.total, exact.rate),
    again: againOf(second.repeats),
    'pass rate against the base': `${percent(rate.base)} → ${percent(rate.other)} ${percent(estimate)} ${percent(low)} to ${percent(high)} ${rate.pairs} ${p(rate.p)}`,
    'words against the base': `+${words.difference.estimate.toFixed(3)} ${words.pairs} ${p(words.p)} ${words.beyond_chance ? 'worse' : ''}`,
    'calls against the base': String(usage.calls.pairs),
    regression: find(gates.regression.text, /worse beyond .*: (?<a>near .* errors \d → \d)/),
  };
}

/** The hints of a page, one a line. */
function titlesOf(page: Page): Promise<string> {
  return page.evaluate<string>(
    `[...document.querySelectorAll('[title]')].map((one) => one.title).join('\\n')`,
  );
}

/** The scores of the dashboard. */
function pageScores(text: string): Record<string, string> {
  const rate = (name: string) =>
    find(text, new RegExp(` ${name} 95 % interval: (?<c>\\S+) (?<a>[\\d.]+ %) (?<b>\\d+ of \\d+)`));
  const mean = (name: string) =>
    find(
      text,
      new RegExp(` ${name} 95 % interval: (?<c>\\S+) (?:\\1 )?(?<a>[\\d.]+) (?<b>mean of \\d+)`),
    );
  return {
    exact: rate('exact'),
    rating: rate('rating'),
    'rating (value)': mean('\\(value\\)'),
    near: mean('near'),
    'near ≥ 0.6': rate('≥ 0.6'),
    words: find(text, / words .* (?<a>[\d.]+) p50 (?<c>of \d+), p95 (?<b>[\d.]+)/),
  };
}

/** A case that passed when it was run again, as the comparison that counts the attempts before shows it. */
async function pairOf(
  served: ServedProject,
  id: string,
  base: string,
): Promise<Record<string, string>> {
  const { pairs } = (await served.get(`/api/compare/rows?run=${base}&run=${id}`)).body;
  const [, { change, row }] = pairs.find((one: Document) => one.function === 'answer[0]').runs;
  return { 'a case that ran again': `${change} ${row.fold.passed} of ${row.fold.trials}` };
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function listed(served: ServedProject): Promise<any> {
  return (await served.get('/api/sessions/default/runs')).body.runs;
}

/** A person gives a result a value that passes. */
async function correct(served: ServedProject, runId: string): Promise<void> {
  const { results } = (await served.get(`/api/runs/${runId}/data`)).body as RunJson;
  const index = results.findIndex((row) => row.function === 'answer[12]' && row.trial === 1);
  const scores = results[index]?.result.scores.map(({ key, passed, value }) =>
    key === 'near' ? { key, value: 0.9 } : { key, value, ...(key !== 'words' && { passed }) },
  );
  await served.patch(`/api/runs/${runId}/results/${index}`, { result: { scores } });
}
