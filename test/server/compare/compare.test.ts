import { expect } from 'chai';
import { figuresOf } from '../../../src/compare/cases/case-figures.js';
import { casesOf } from '../../../src/compare/cases/group-by-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { judgeMissing, judgeNewFailures } from '../../../src/compare/gates/judge-gates.js';
import { judgeRegression } from '../../../src/compare/gates/judge-regression.js';
import type { RunOwner } from '../../../src/store/run-owner.js';
import { type GivenResult, judged, serveRuns } from './served-runs.js';

const path = (...runs: readonly RunOwner[]) =>
  `/api/compare?${runs.map(({ run }) => `run=${run.runId}`).join('&')}`;

const casesIn = ({ run }: RunOwner) => casesOf(run.rows);

/** What JSON makes of a value. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

const names = Array.from({ length: 12 }, (_, n) => `case_${n}`);

describe('GET /api/compare', () => {
  it('answers with what calls used, where there are calls', async () => {
    const { run, ask } = await serveRuns();
    const calling = (calls: number) =>
      run(
        names.map((name, n) => {
          const used = { calls, input: 100 * calls, output: 20, cost: n / 1000 };
          const usage = { ...used, ...(n === 0 && { unpriced: 1 }), by_role: { target: used } };
          return judged(name, true, { usage });
        }),
      );
    const [base, other, silent] = [
      await calling(1),
      await calling(2),
      await run(names.map((name) => judged(name, true))),
    ];
    const { runs, comparisons } = await ask(path(base, other, silent));
    expect(runs[1].usage).to.deep.equal(asJson(other.run.summary().usage));
    expect(runs[1].usage).to.include({ calls: 24, unpriced: 1 });
    expect(runs[2]).to.not.have.property('usage');
    const [{ usage }, without] = comparisons;
    expect(usage.cost).to.include({ pairs: 11, unknown: 1, higher: 0, lower: 0, median: 0 });
    expect(usage.tokens).to.include({ pairs: 12, unknown: 0, base: 120, other: 220, median: 100 });
    expect(usage.calls).to.include({ pairs: 12, base: 1, other: 2 });
    expect(without).to.not.have.property('usage');
  });

  it('answers with the figures of each run and the differences from the first', async () => {
    const { run, ask } = await serveRuns();
    const base = await run(
      names.map((name) => judged(name, true, { latency: 1 })),
      'before',
    );
    const other = await run(
      names.map((name, n) => judged(name, n > 7, { latency: 2 })),
      'after',
    );
    const { runs, comparisons } = await ask(path(base, other));
    expect(runs.map(({ run_name }: { run_name: string }) => run_name)).to.deep.equal([
      'before',
      'after',
    ]);
    expect(runs[0]).to.deep.include({
      run_id: base.run.runId,
      session_name: 'default',
      config_name: 'default',
      timestamp: base.run.head().created_at,
      state: 'finished',
      ...asJson(figuresOf(casesIn(base))),
    });
    const [against] = comparisons;
    expect(comparisons).to.have.length(1);
    expect(against.run_id).to.equal(other.run.runId);
    expect(against.changes).to.deep.include({ regressed: 8, same: 4 });
    expect(against.pass_rate).to.deep.include({ pairs: 12, base: 1, other: 4 / 12 });
    // Eight went one way and none the other: McNemar's exact test, 2 / 2^8.
    expect(against.pass_rate.p).to.be.closeTo(2 / 2 ** 8, 1e-12);
    expect(against.pass_rate.beyond_chance).to.equal(true);
    expect(against.latency).to.deep.include({ median: 1, higher: 12 });
    expect(against.gates.regression.verdict).to.equal('no');
    expect(against.gates.regression.text).to.match(/^worse beyond chance, .*: pass rate 100.0 % →/);
    expect(against.gates.new_failures).to.deep.include({ verdict: 'no', failed_total: 8 });
    expect(against.gates.missing).to.deep.include({ verdict: 'yes', gone_total: 0 });
  });

  it('has the numbers of the command line, whatever is compared', async () => {
    const { run, ask } = await serveRuns();
    const given = (seed: number): GivenResult[] =>
      names.slice(seed).flatMap((name, n): GivenResult[] =>
        [1, 2, 3].map((trial) => ({
          name,
          trial,
          ...(n === 5
            ? {}
            : {
                finish: {
                  output: (n + trial * seed) % 4,
                  latency: n === 3 ? null : n / 10 + seed,
                  scores: [
                    { key: 'exact', passed: (n * trial + seed) % 3 > 0 },
                    { key: 'size', value: ((n + trial) * 7 + seed * seed) % 11 },
                    ...(n % 2 === 0 ? [{ key: 'again', passed: (n * trial + seed) % 3 > 0 }] : []),
                    seed === 1 ? { key: 'mixed', passed: true } : { key: 'mixed', value: n },
                  ],
                },
              }),
        })),
      );
    const owners = [await run(given(0)), await run(given(1)), await run(given(2))];
    const { runs, comparisons } = await ask(path(...owners));
    const cases = owners.map(casesIn);
    for (const [n, own] of cases.entries()) {
      expect(runs[n]).to.deep.include(asJson(figuresOf(own)));
      if (n === 0) continue;
      const comparison = compareCases(cases[0] ?? [], own);
      const { run_id, run_name, gates, ...summary } = comparisons[n - 1];
      expect(run_id).to.equal(owners[n]?.run.runId);
      expect(run_name).to.equal('brisk-otter');
      expect(summary).to.deep.equal(asJson(comparison.summary));
      expect(gates.regression).to.deep.include(asJson(judgeRegression(comparison)));
      expect(gates.new_failures).to.deep.include(asJson(judgeNewFailures(comparison)));
      expect(gates.missing).to.deep.include(asJson(judgeMissing(comparison)));
    }
  });

  it('leaves results that were carried over out of differences, and says how many they are', async () => {
    const { run, ask } = await serveRuns();
    const started_at = '2026-11-20T14:20:00.000Z';
    const base = await run(names.map((name) => judged(name, true, { started_at })));
    const { run_id, run_name } = base.run.header;
    const other = await run(names.slice(0, 2).map((name) => judged(name, false)));
    const restored = await run(names.map((name, n) => (n < 2 ? judged(name, false) : { name })));
    restored.restore(
      names.slice(2).map((_, n) => ({
        ...base.run.entry(n + 2).result,
        calls: undefined,
        index: n + 2,
        status: 'completed',
        origin: { run_id, run_name, kind: 'carried' },
      })),
    );
    const { runs, comparisons } = await ask(path(base, restored, other));
    expect(runs[1].pass_rate).to.include({ passed: 10, total: 12 });
    expect(comparisons[0]).to.include({ carried: 10 });
    expect(comparisons[0].changes).to.include({ regressed: 2, same: 10 });
    expect(comparisons[0].pass_rate).to.include({ pairs: 2, base: 1, other: 0 });
    expect(comparisons[0].gates.regression.verdict).to.equal('yes');
    expect(comparisons[1]).to.include({ carried: 0 });
  });

  it('names at most 100 cases in a verdict, and counts all', async () => {
    const { run, ask } = await serveRuns();
    const many = Array.from({ length: 130 }, (_, n) => `case_${n}`);
    const base = await run(many.map((name) => judged(name, true)));
    const other = await run(many.map((name) => judged(name, false)));
    const [{ gates }] = (await ask(path(base, other))).comparisons;
    expect(gates.new_failures.failed).to.have.length(100);
    expect(gates.new_failures.failed_total).to.equal(130);
  });

  it('finds nothing between a run and itself', async () => {
    const { run, ask } = await serveRuns();
    const owner = await run(names.map((name, n) => judged(name, n > 3)));
    const [against] = (await ask(path(owner, owner))).comparisons;
    expect(against.changes).to.deep.include({ same: 12, regressed: 0, fixed: 0 });
    expect(against.pass_rate).to.deep.include({ p: 1, beyond_chance: false });
    expect(against.gates.regression.verdict).to.equal('yes');
  });

  it('compares runs that share nothing, and a run in which nothing has finished', async () => {
    const { run, ask } = await serveRuns();
    const base = await run([judged('a', true)]);
    const other = await run([judged('b', true)]);
    const pending = await run([{ name: 'a' }]);
    const { comparisons } = await ask(path(base, other, pending));
    expect(comparisons[0].changes).to.deep.include({ only_base: 1, only_other: 1 });
    expect(comparisons[0].pass_rate).to.deep.include({ pairs: 0, difference: null, p: null });
    expect(comparisons[0].gates.regression.verdict).to.equal('cannot-tell');
    expect(comparisons[1].changes).to.deep.include({ not_paired: 1 });
    expect(comparisons[1].gates.missing).to.deep.include({ unfinished_total: 1 });
  });

  it('has another version when a score of one of the runs is changed', async () => {
    const { run, get, ask } = await serveRuns();
    const base = await run([judged('a', true)]);
    const other = await run([judged('a', true)]);
    const { headers } = await get(path(base, other));
    const etag = headers.get('etag') ?? '';
    const again = await get(path(base, other), { 'if-none-match': etag });
    expect(again.status).to.equal(304);
    await base.run.edit(0, { scores: [{ key: 'exact', passed: false }] });
    const changed = await get(path(base, other), { 'if-none-match': etag });
    expect(changed.status).to.equal(200);
    expect(changed.body.comparisons[0].changes.fixed).to.equal(1);
    await base.run.edit(0, { scores: [{ key: 'exact', passed: true }] });
    expect((await ask(path(base, other))).comparisons[0].changes.same).to.equal(1);
  });

  it('does not know runs that are not there', async () => {
    const { run, get, bugs } = await serveRuns();
    const owner = await run([judged('a', true)]);
    for (const unknown of ['0123456789ab', 'nonsense', '..%2F..%2Fetc', '__proto__', '']) {
      for (const target of ['/api/compare', '/api/compare/rows']) {
        const { status } = await get(`${target}?run=${owner.run.runId}&run=${unknown}`);
        expect(status, unknown).to.equal(404);
      }
    }
    expect(bugs).to.deep.equal([]);
  });
});
