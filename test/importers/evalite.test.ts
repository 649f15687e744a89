import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EvaliteTables, toForeign } from '../../src/importers/evalite.js';
import { readResults } from '../../src/importers/read-results.js';
import { countsOf, toDocuments } from '../../src/importers/to-documents.js';
import { readAll, refusal, temporaryFolder, temporaryStore } from '../store/builders.js';

const fixture = new URL('../fixtures/imports/evalite.sqlite', import.meta.url).pathname;
const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;

/** One run of one evaluation with these results. */
function tablesWith(
  results: readonly object[],
  others: Partial<{ [Name in keyof EvaliteTables]: readonly object[] }> = {},
): EvaliteTables {
  const plain = { eval_id: 1, duration: 1500, input: '"in"', output: '"out"', expected: 'null' };
  return {
    runs: [{ id: 1, runType: 'full', created_at: '2026-01-02 03:04:05' }],
    evals: [{ id: 1, run_id: 1, name: 'Capitals', filepath: '/home/u/p/evals/a.eval.ts' }],
    results: results.map((row, at) => ({ id: at + 1, col_order: at, ...plain, ...row })),
    scores: [],
    traces: [],
    ...others,
  };
}

const onlyRun = (tables: EvaliteTables) => toForeign(tables, 'db').runs[0];

describe('reading the database of evalite', () => {
  it('takes what evalite 0.19 wrote, where Node can read SQLite, and leaves nothing beside it', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'evalite.sqlite');
    copyFileSync(fixture, path);
    if (!hasSqlite) {
      const error = await refusal(() => readResults(path));
      expect(error.message).to.match(
        /SQLite database, which needs Node 22\.13 or newer; this is v/,
      );
      return;
    }
    const read = await readResults(path);
    if (read.kind !== 'foreign') throw new Error('not recognised');
    expect(readdirSync(folder)).to.deep.equal(['evalite.sqlite']);
    expect(read.foreign).to.include({ tool: 'evalite', name: 'evalite.sqlite', isGroup: false });
    expect(read.foreign.unplaced).to.deep.equal(['scores.description']);
    const documents = toDocuments(read.foreign);
    expect(countsOf(documents)).to.deep.equal({ total: 16, passed: 0, failed: 0, errors: 2 });
    expect(documents.map(({ run_name, created_at }) => [run_name, created_at])).to.deep.equal([
      ['run 1', Date.parse('2026-11-29T12:52:52Z') / 1000],
      ['run 2', Date.parse('2026-11-29T12:52:58Z') / 1000],
    ]);
    const store = await temporaryStore();
    const [saved] = await store.importRuns(documents);
    const results = await readAll(store, saved?.run_id ?? '');
    expect(results.map(({ id }) => id)).to.deep.equal([
      ...[0, 1, 2, 3].map((at) => `capitals.eval.ts::Capitals[${at}]`),
      ...['small', 'large'].flatMap((variant) =>
        [0, 1].flatMap((at) =>
          [1, 2].map((trial) => `sums.eval.ts::Sums [${variant}][${at}]~${trial}`),
        ),
      ),
    ]);
    const [first, second, third] = results.map(({ result }) => result);
    expect(second).to.deep.include({ input: 'Spain', output: 'Barcelona', reference: 'Madrid' });
    expect(second?.scores).to.deep.equal([
      { key: 'Exact', value: 0, notes: '{"length":9}' },
      { key: 'Short', value: 0.25 },
    ]);
    expect(first?.usage).to.include({ calls: 1, input: 12, output: 3, cost: null, unpriced: 1 });
    expect(first?.latency).to.equal(0.009);
    expect(third).to.deep.include({ error: 'RangeError: no such country', output: null });
    expect(third?.scores).to.deep.equal([]);
  });

  it('gives each variant of evalite.each an evaluation of its own', async () => {
    const names = ['Sums [a]', 'Sums [b]'];
    const evals = names.map((name, at) => ({
      id: at + 1,
      run_id: 1,
      name,
      filepath: '/p/s.eval.ts',
    }));
    const store = await temporaryStore();
    const foreign = toForeign(tablesWith([{}, { eval_id: 2 }], { evals }), 'db');
    const [saved] = await store.importRuns(toDocuments(foreign));
    const run = await store.openRun(saved?.run_id ?? '');
    expect(run.rows.map(({ evaluation }) => evaluation)).to.deep.equal(
      names.map((name) => `s.eval.ts::${name}`),
    );
    await run.close();
  });

  it('knows trials from cases with the same input, and a case in the runs after', () => {
    const run = { runType: 'partial', created_at: null };
    const file = { name: 'Capitals', filepath: '/p/a.eval.ts' };
    const tables = tablesWith(
      [
        { input: '"a"', trial_index: 0 },
        { input: '"a"', trial_index: 1 },
        { input: '"b"' },
        { input: '"b"' },
        { input: '"b"', eval_id: 2 },
        { input: '"new"', eval_id: 2 },
      ],
      {
        runs: [
          { id: 1, ...run },
          { id: 2, ...run },
        ],
        evals: [
          { id: 1, run_id: 1, ...file },
          { id: 2, run_id: 2, ...file },
        ],
      },
    );
    const { runs } = toForeign(tables, 'db');
    expect(runs.map(({ name }) => name)).to.deep.equal(['run 1 (partial)', 'run 2 (partial)']);
    const cases = runs.map(({ results }) => results.map((result) => result.case));
    expect(cases).to.deep.equal([
      ['0', '0', '1', '2'],
      ['1', '3'],
    ]);
  });

  it('takes columns of older versions, and says what it does not know', () => {
    const tables = tablesWith([{ status: 'fail', output: '{}' }, { status: 'running' }], {
      evals: [
        { id: 1, run_id: 1, name: 'A', filepath: '/p/x/a.eval.ts', status: 'running' },
        { id: 2, run_id: 1, name: 'B', filepath: '/p/b.eval.ts' },
      ],
      traces: [{ result_id: 1, prompt_tokens: 5, completion_tokens: 2 }],
      scores: [{ result_id: 2, name: 'F', score: 1, metadata: '{"rationale":"so","choice":"C"}' }],
    });
    expect(toForeign(tables, 'db').note).to.equal('1 evaluation had not ended.');
    const [failed, running] = onlyRun(tables)?.results ?? [];
    expect(failed?.file).to.equal('x/a.eval.ts');
    expect(failed?.error).to.equal('The database does not say what the error was.');
    expect(failed?.usage).to.include({ input: 5, output: 2, cost: null });
    expect(running?.status).to.equal('cancelled');
    expect(running?.scores).to.deep.equal([{ key: 'F', value: 1, notes: 'so' }]);
  });

  it('says what is wrong with a database, and where', async () => {
    const wrong: readonly (readonly [EvaliteTables, RegExp])[] = [
      [tablesWith([{ input: '{' }]), /\/results id 1\/input is not JSON/],
      [tablesWith([{ duration: 'long' }]), /\/results\/0\/duration must be a number/],
    ];
    for (const [tables, message] of wrong) {
      expect((await refusal(() => toForeign(tables, 'db'))).message).to.match(message);
    }
    const path = join(temporaryFolder(), 'half.sqlite');
    writeFileSync(path, 'SQLite format 3\0 and no more');
    const error = await refusal(() => readResults(path));
    expect(error.message).to.match(hasSqlite ? /^It is no database of evalite: / : /needs Node/);
    if (hasSqlite) expect(error.hints.join()).to.include('half.sqlite-wal');
  });
});
