import { expect } from 'chai';
import { renderJobSummary } from '../../../src/cli/reporters/github.js';
import { graded, type SavedRow, savedRun, trials } from '../saved-run.js';

async function summaryOf(
  rows: readonly SavedRow[],
  verdicts: Parameters<typeof renderJobSummary>[0]['verdicts'] = [],
): Promise<string> {
  const run = await savedRun(rows);
  const text = renderJobSummary({ run, verdicts, comparison: undefined });
  await run.close();
  return text;
}

describe('renderJobSummary', () => {
  it('has gates, scores with intervals, and what failed when there is no baseline', async () => {
    const rows = [
      { end: graded(true) },
      { end: { scores: [{ key: 'exact', passed: false, notes: 'wanted | another' }] } },
      ...trials('agent', 'pf'),
    ];
    const verdicts = [{ verdict: 'no', text: 'pass rate 50 % is under 80 %' }] as const;
    expect(await summaryOf(rows, verdicts)).to.equal(`## brisk-otter

4 results · 2 passed · 0 errors

- ❌ pass rate 50 % is under 80 %

| score |  | 95 % | of |
| --- | --: | --- | --- |
| pass rate | 50.0 % | 15.0–85.0 | 2 of 4 |
| exact | 50.0 % | 15.0–85.0 | 2 of 4 |

| failed |  |
| --- | --- |
| review\\[1\\] | exact: wanted \\| another |
| agent (1 of 2 passed) | exact |

`);
  });

  it('has the mean of values with a threshold, the share that passed, and what missed it', async () => {
    const near = (value: number) => ({ key: 'near', passed: value >= 0.8, value, threshold: 0.8 });
    const text = await summaryOf([
      { end: { scores: [near(0.9), { key: 'tokens', value: 412 }] } },
      { end: { scores: [{ ...near(0.5), notes: 'far off' }] } },
    ]);
    expect(text).to.include('| near | 0.7 |');
    expect(text).to.include('| near ≥ 0.8 | 50.0 % | 9.5–90.5 |');
    expect(text).to.include('| tokens | p50 412, p95 412 | unbounded values |');
    expect(text).to.include('near 0.5, wanted ≥ 0.8: far off');
  });

  it('shows nothing of an evaluation as markup', async () => {
    const nasty = '<img src=x>\n# title\n| [x](http://a.b) @team';
    const text = await summaryOf([
      { plan: { function: nasty }, end: { status: 'error', error: `Error: ${nasty}` } },
    ]);
    expect(text).to.not.match(/<img|^# title|[^\\]\]\(|@team/m);
  });
});
