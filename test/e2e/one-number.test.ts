import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ServedProject } from '../helpers/served-project.js';

// Trials of one case are alike: most cases pass always or never.
const evals = `
import { evaluation } from 'assay';
export const answer = evaluation({
  trials: 4,
  cases: Array.from({ length: 30 }, (_, i) => ({ input: i })),
  target: ({ input, trial }) => (input % 5 === 0 && trial > 1) || input % 3 === 0 ? 'no' : 'yes',
  evaluators: [
    function exact({ output }) { return output === 'yes'; },
    function length({ input, output }) { return { value: output.length / 8 + input ** 2 / 1700 }; },
    function tokens({ input }) { return { value: 1000 + input ** 2 }; },
  ],
});
`;

const bounds = String.raw`([\d.]+–[\d.]+)`;

/** What a pattern with one group finds, or an error that shows where it was looked for. */
function find(text: string, pattern: string): string {
  const found = new RegExp(pattern, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`${pattern} is not in:\n${text}`);
  return found;
}

const percent = ({ low, high }: { low: number; high: number }) =>
  `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}`;
const plain = ({ low, high }: { low: number; high: number }) =>
  `${Number(low.toFixed(3))}–${Number(high.toFixed(3))}`;

describe('a run with trials', function () {
  this.timeout(120_000);
  let served: ServedProject;
  let report: string;
  let summary: string;

  before(async () => {
    served = await ServedProject.start({ 'a.eval.mjs': evals });
    const { project } = served;
    const file = project.path('summary.md');
    const args = ['run', 'a.eval.mjs', '--run-name', 'base', '--reporter', 'github'];
    const ran = await project.assay(args, { env: { GITHUB_STEP_SUMMARY: file, COLUMNS: '160' } });
    expect(ran.code, ran.stderr).to.equal(0);
    report = ran.stdout + ran.stderr;
    summary = readFileSync(file, 'utf8');
  });

  it('has one pass rate with one interval, in every command, file and answer', async () => {
    const { project } = served;
    const wide = { env: { COLUMNS: '200' } };
    const compared = await project.assay(['sessions', 'compare', 'base', 'base'], wide);
    const shown = await project.assay(['sessions', 'show', 'default'], wide);
    const sessions = await project.assay(['sessions'], wide);
    const [listed] = (await served.get('/api/sessions/default/runs')).body.runs;
    const { counts, chips, trials } = (await served.get(`/api/runs/${listed.run_id}/rows`)).body
      .summary;
    const [pair] = (await served.get(`/api/compare?run=${listed.run_id}&run=${listed.run_id}`)).body
      .runs;
    const rate = listed.pass_rate;
    const said = percent(rate);
    const markdown = await project.assay(['export', 'base', '-f', 'md']);
    expect({
      report: find(report, `pass@1 [\\d.]+ % \\(${bounds}\\)`),
      exact: find(report, `exact .* 95 %: ${bounds}`),
      markdown: find(markdown.stdout, `Pass rate: [\\d.]+ % \\(95 %: ${bounds}\\)`),
      markdownScore: find(markdown.stdout, `exact \\| \\S+ \\| [\\d.]+ % \\| ${bounds}`),
      summary: find(summary, `pass rate \\| [\\d.]+ % \\| ${bounds}`),
      compared: find(compared.stdout, `pass rate .* % +${bounds}`),
      shown: find(shown.stdout, `base .* % +${bounds}`),
      sessions: find(sessions.stdout, `base .* ${bounds}`),
      rows: percent(counts.pass_rate),
      chip: percent(chips[0].interval),
      pair: percent(pair.pass_rate.rate),
      trials: percent(trials.trial_statistics.by_k[0].pass_at),
    }).to.deep.equal({
      report: said,
      exact: said,
      markdown: said,
      markdownScore: said,
      summary: said,
      compared: said,
      shown: said,
      sessions: said,
      rows: said,
      chip: said,
      pair: said,
      trials: said,
    });
    // 120 independent results would have an interval of 17 points.
    expect(rate.high - rate.low).to.be.above(0.25);
  });

  it('has one interval of an average', async () => {
    const { project } = served;
    const wide = { env: { COLUMNS: '200' } };
    const compared = await project.assay(['sessions', 'compare', 'base', 'base'], wide);
    const [listed] = (await served.get('/api/sessions/default/runs')).body.runs;
    const { chips } = (await served.get(`/api/runs/${listed.run_id}/rows`)).body.summary;
    const [pair] = (await served.get(`/api/compare?run=${listed.run_id}&run=${listed.run_id}`)).body
      .runs;
    const said = plain(chips[1].interval);
    const markdown = await project.assay(['export', 'base', '-f', 'md']);
    expect([
      find(markdown.stdout, `length \\| .* \\| ${bounds} \\| mean`),
      find(report, `length .* 95 %: ${bounds}`),
      find(summary, `length \\| [\\d.]+ \\| ${bounds}`),
      find(compared.stdout, `length .* ${bounds} +mean`),
      plain(pair.scores[1].mean),
    ]).to.deep.equal([said, said, said, said, said]);
  });

  it('has p50 and p95 of unbounded values in place of an average', async () => {
    const { project } = served;
    const wide = { env: { COLUMNS: '200' } };
    const compared = await project.assay(['sessions', 'compare', 'base', 'base'], wide);
    const markdown = await project.assay(['export', 'base', '-f', 'md']);
    const [listed] = (await served.get('/api/sessions/default/runs')).body.runs;
    const path = `/api/runs/${listed.run_id}/rows`;
    const { chips } = (await served.get(path)).body.summary;
    const [pair] = (await served.get(`/api/compare?run=${listed.run_id}&run=${listed.run_id}`)).body
      .runs;
    // The squares of 14 and 15, and of 27 and 28: four results each.
    const percentiles = { p50: 1210.5, p95: 1784 };
    const said = 'p50 1,211, p95 1,784';
    expect({
      report: find(report, 'tokens +(unbounded values +[\\d,.]+ +p50 of 120 +p95 .*)'),
      markdown: find(markdown.stdout, 'tokens \\| .* \\| (p50 [^|]*) of 120 \\|'),
      summary: find(summary, 'tokens \\| (p50 [^|]*) \\| unbounded values'),
      compared: find(compared.stdout, 'tokens .*(p50 [\\d,.]+, p95 [\\d,.]+) +unbounded values'),
      rows: chips[2].percentiles,
      listed: listed.score_chips[2].percentiles,
      pair: pair.scores[2].percentiles,
    }).to.deep.equal({
      report: 'unbounded values        1,211   p50 of 120    p95 1,784',
      markdown: said,
      summary: said,
      compared: said,
      rows: percentiles,
      listed: percentiles,
      pair: percentiles,
    });
  });

  it('judges the average in a gate on it, and says so', async () => {
    const { project } = served;
    const args = ['run', '--resume', 'base', '--fail-under', 'tokens=1300'];
    const gated = await project.assay(args, { env: { COLUMNS: '200' } });
    expect(gated.code, gated.stderr).to.equal(1);
    expect(gated.stdout + gated.stderr).to.include('tokens 1,285 on average is under 1,300');
  });
});
