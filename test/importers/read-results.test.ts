import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readResults } from '../../src/importers/read-results.js';
import { countsOf, toDocuments } from '../../src/importers/to-documents.js';
import type { ExportedRun } from '../../src/store/exported/read-exported-run.js';
import { readAll, refusal, temporaryFolder, temporaryStore } from '../store/builders.js';

const fixtures = new URL('../fixtures/imports/', import.meta.url).pathname;

async function documentsOf(path: string): Promise<readonly ExportedRun[]> {
  const read = await readResults(path);
  if (read.kind !== 'foreign') throw new Error(`${path} was not recognised`);
  return toDocuments(read.foreign);
}

function written(content: string | Buffer, name = 'results'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

const ezvalsResult = {
  input: 'hi',
  output: 'Hello',
  reference: 'Hello',
  scores: [{ key: 'polite', passed: true, value: null, notes: 'says hello' }],
  error: null,
  latency: 0.5,
  metadata: { area: 'greeting' },
  trace_data: { messages: [] },
  annotation: 'fine',
  status: 'completed',
};

function ezvalsRun(...results: readonly object[]): object {
  return {
    session_name: 'chat',
    run_name: 'swift-falcon',
    run_id: '0a1b2c3d',
    created_at: 1_700_000_000,
    total_evaluations: results.length,
    path: 'evals/',
    results: results.map((result, at) => ({
      ...{ function: `greet[${at}]`, dataset: 'greetings', labels: ['prod'] },
      result: { ...ezvalsResult, ...result },
    })),
  };
}

function event(id: string, fields: object = {}): object {
  return {
    ...{ id, span_id: id, root_span_id: id, experiment_id: 'exp', created: '2026-01-02T03:04:05Z' },
    ...{ input: 'France', output: 'Paris', expected: 'Paris', error: null, tags: ['geo'] },
    scores: { Exact: 1, Skipped: null },
    metadata: { model: 'gpt-4.1' },
    metrics: { start: 100, end: 101.5, prompt_tokens: 20, completion_tokens: 2, llm_calls: 1 },
    ...fields,
  };
}

const lines = (...events: readonly object[]) => events.map((e) => JSON.stringify(e)).join('\n');

describe('reading results of other tools', () => {
  it('saves each format as runs whose results read back, with the counts of the tool', async () => {
    const failure = { scores: [{ key: 'polite', passed: false }] };
    const ezvals = ezvalsRun({}, failure, { error: 'Boom', scores: null, output: null });
    const table = [
      ['promptfoo.json', join(fixtures, 'promptfoo.json'), [8, 8], [10, 2, 4]],
      ['inspect.eval', join(fixtures, 'inspect.eval'), [4], [3, 1, 0]],
      ['inspect.json', join(fixtures, 'inspect.json'), [1], [0, 1, 0]],
      ['EZVals', written(JSON.stringify(ezvals)), [3], [1, 1, 1]],
      [
        'Braintrust',
        written(lines(event('a'), event('b'), event('c', { error: 'Boom' }))),
        [3],
        [0, 0, 1],
      ],
    ] as const;
    const store = await temporaryStore();
    for (const [what, path, sizes, [passed, failed, errors]] of table) {
      const documents = await documentsOf(path);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      expect(countsOf(documents), what).to.deep.equal({ total, passed, failed, errors });
      const imported = await store.importRuns(documents);
      const saved = await Promise.all(imported.map(({ run_id }) => readAll(store, run_id)));
      expect(saved.map((results) => results.length)).to.deep.equal(sizes);
      const read = saved.flat().map(({ result: { input, output, scores, usage } }) => {
        return { input, output, scores, usage };
      });
      const given = documents.flatMap(({ results }) =>
        results.map(({ result: { input, output, scores, usage } }) => {
          return { input, output, scores, usage };
        }),
      );
      expect(read, what).to.deep.equal(given);
    }
  });

  it('makes variants of the prompts and providers of promptfoo, and trials of its repeats', async () => {
    const [first, second] = await documentsOf(join(fixtures, 'promptfoo.json'));
    expect([first?.params, second?.params]).to.deep.equal([
      { prompt: 'prompts/terse.txt', provider: 'openai:gpt-4.1' },
      { prompt: 'prompts/terse.txt', provider: 'mini' },
    ]);
    expect(first?.group_runs).to.deep.equal([first?.run_id, second?.run_id]);
    const ids = (run: ExportedRun | undefined) => run?.results.map(({ id }) => id).sort();
    expect(ids(first)).to.deep.equal(ids(second));
    expect(ids(first)?.slice(0, 2)).to.deep.equal([
      'promptfoo::tests[blows up]~1',
      'promptfoo::tests[blows up]~2',
    ]);
  });

  it('keeps verdicts, measures and costs of promptfoo, and says no cost where it knew none', async () => {
    const [, mini] = await documentsOf(join(fixtures, 'promptfoo.json'));
    const result = (id: string) =>
      mini?.results.find((entry) => entry.id === `promptfoo::tests[${id}]~1`)?.result;
    const scores = result('charged twice')?.scores;
    expect(scores?.map(({ key, passed, value }) => [key, passed, value])).to.deep.equal([
      ['queue', true, undefined],
      ['length', true, 0.7],
    ]);
    expect(result('charged twice')?.usage).to.include({ calls: 1, input: 20, output: 2 });
    expect(result('charged twice')?.usage?.cost).to.be.closeTo(0.0000112, 1e-9);
    expect(result('no assertions')?.scores).to.deep.equal([
      { key: 'verdict', passed: true, notes: 'No assertions' },
    ]);
    const failed = result('blows up');
    expect(failed?.error).to.match(/^API error: 400 Bad Request/);
    expect(failed?.usage).to.include({ calls: 1, cost: null, unpriced: 1 });
  });

  it('keeps the epochs of Inspect as trials, and what its letters mean', async () => {
    const [run] = await documentsOf(join(fixtures, 'inspect.eval'));
    expect(run?.params).to.include({ model: 'local/large' });
    expect(run?.results.map(({ id }) => id.replace(/.*::/, ''))).to.deep.equal(
      [1, 2].flatMap((id) => [1, 2].map((trial) => `facts[${id}]~${trial}`)),
    );
    const log = JSON.parse(readFileSync(join(fixtures, 'inspect.json'), 'utf8'));
    const [sample] = log.samples;
    const values = ['C', 'I', 'P', 'N', true, 3, 'text', { a: 1 }];
    sample.scores = Object.fromEntries(values.map((value, at) => [`s${at}`, { value }]));
    const text = JSON.stringify(log).replace('"s5":{"value":3}', '"s5":{"value":NaN}');
    const [again] = await documentsOf(written(text));
    const found = again?.results[0]?.result;
    expect(found?.scores).to.deep.equal([
      { key: 's0', passed: true },
      { key: 's1', passed: false },
      { key: 's2', passed: false, value: 0.5 },
      { key: 's3', passed: false },
      { key: 's4', passed: true },
      { key: 's7 a', value: 1 },
    ]);
    expect(found?.metadata.scores).to.deep.equal({ s5: null, s6: 'text' });
    const read = await readResults(written(text));
    expect(read).to.have.nested.property('foreign.unplaced').that.includes('score s5');
  });

  it('has the samples that a log of Inspect lacks as results that are not finished', async () => {
    const log = JSON.parse(readFileSync(join(fixtures, 'inspect.json'), 'utf8'));
    const [sample] = log.samples;
    const statusesOf = async (head: object, spec: object = {}) => {
      const read = await documentsOf(
        written(
          JSON.stringify({
            ...log,
            ...head,
            eval: { ...log.eval, config: { epochs: 1 }, ...spec },
            samples: [{ ...sample, epoch: 1 }],
          }),
        ),
      );
      return read[0]?.results.map(({ id, result }) => [id.replace(/.*\[|\]$/g, ''), result.status]);
    };
    const one = [String(sample.id), 'completed'];
    const named = { dataset: { name: 'd', sample_ids: [sample.id, 'other'] } };
    const unnamed = { dataset: { name: 'd' } };
    const missing = ['not in the log 1', 'cancelled'];
    expect(await statusesOf({ status: 'cancelled' }, named)).to.deep.equal([
      one,
      ['other', 'cancelled'],
    ]);
    expect(await statusesOf({ results: { total_samples: 2 } }, unnamed)).to.deep.equal([
      one,
      missing,
    ]);
    expect(await statusesOf({ status: 'started', results: null }, unnamed)).to.deep.equal([
      one,
      missing,
    ]);
    expect(await statusesOf({ results: { total_samples: 1 } }, unnamed)).to.deep.equal([one]);
  });

  it('does not know what was spent where a file does not say it', async () => {
    const spent = async (text: string) => {
      const [run] = await documentsOf(written(text));
      return run?.results.map(({ result: { usage } }) => usage);
    };
    const unknown = { calls: 0, cost: null, unpriced: 1, unrecorded: 1 };
    expect((await spent(JSON.stringify(ezvalsRun({}))))?.[0]).to.deep.include(unknown);
    const [none] = (await spent(lines(event('a', { metrics: {} })))) ?? [];
    expect(none).to.deep.include(unknown);
    const span = { root_span_id: 'a', span_attributes: { type: 'llm' } };
    const known = { ...span, metrics: { prompt_tokens: 5, estimated_cost: 0.1 } };
    const spans = lines(
      event('a', { metrics: {} }),
      event('x', known),
      event('y', { ...span, metrics: {} }),
    );
    expect((await spent(spans))?.[0]).to.deep.include({ calls: 2, unpriced: 1, without_tokens: 1 });
    const log = JSON.parse(readFileSync(join(fixtures, 'inspect.json'), 'utf8'));
    log.samples = [{ ...log.samples[0], model_usage: { m: { total_cost: 0.1 } } }];
    const [paid] = (await spent(JSON.stringify(log))) ?? [];
    expect(paid).to.include({ cost: 0.1, without_tokens: paid?.calls });
    const promptfoo = JSON.parse(readFileSync(join(fixtures, 'promptfoo.json'), 'utf8'));
    const [row] = promptfoo.results.results;
    row.tokenUsage = { prompt: 20, completion: 10, numRequests: 1, assertions: { total: 500 } };
    const judged = await spent(JSON.stringify(promptfoo));
    const has = judged?.find((usage) => usage?.by_role['evaluator:assertions']);
    expect(has).to.deep.include({ calls: 2, input: 520, output: 10 });
  });

  it('takes the newest version of an event of Braintrust, and none that was deleted', async () => {
    const versions = [
      event('a', { _xact_id: '1000', output: 'new' }),
      event('a', { _xact_id: '999', output: 'old' }),
      event('b', { _xact_id: '1', input: 'b' }),
      event('b', { _xact_id: '2', input: 'b', _object_delete: true }),
    ];
    const [run] = await documentsOf(written(lines(...versions)));
    expect(run?.results.map(({ result }) => result.output)).to.deep.equal(['new']);
  });

  it('takes spans of Braintrust for no results, and results with the same input for trials', async () => {
    const child = { span_id: 'x', root_span_id: 'a', metrics: { prompt_tokens: 5 } };
    const path = written(lines(event('a'), event('b'), event('x', child)));
    const read = await readResults(path);
    const [run] = await documentsOf(path);
    expect(read).to.have.nested.property('foreign.unplaced').that.deep.equals(['spans']);
    expect(run?.results.map(({ id, labels }) => [id, labels])).to.deep.equal([
      ['Braintrust::experiment[0]~1', ['geo']],
      ['Braintrust::experiment[0]~2', ['geo']],
    ]);
    const result = run?.results[0]?.result;
    expect(result).to.deep.include({ latency: 1.5, reference: 'Paris' });
    expect(result?.scores).to.deep.equal([{ key: 'Exact', value: 1 }]);
    expect(result?.metadata).to.deep.equal({ model: 'gpt-4.1', metrics: { llm_calls: 1 } });
    expect(result?.usage).to.include({ input: 20, output: 2, cost: null, unpriced: 1 });
  });

  it('says what is wrong with a file, and where', async () => {
    const zip = readFileSync(join(fixtures, 'inspect.eval'));
    const promptfoo = JSON.parse(readFileSync(join(fixtures, 'promptfoo.json'), 'utf8'));
    promptfoo.results.results[3].success = 'yes';
    const none = { ...promptfoo, results: { ...promptfoo.results, results: [] } };
    const zstd = Buffer.from(zip);
    zstd.writeUInt16LE(93, zip.lastIndexOf('PK\x01\x02') + 10);
    const large = Buffer.from(zip);
    large.writeUInt32LE(300 * 1024 ** 2, zip.lastIndexOf('PK\x01\x02') + 24);
    const bomb = Buffer.from(zip);
    bomb.writeUInt32LE(10, zip.lastIndexOf('PK\x01\x02') + 24);
    const hasZstd = 'zstdDecompressSync' in (await import('node:zlib'));
    const table: readonly (readonly [string, string | Buffer, RegExp])[] = [
      ['a wrong type', JSON.stringify(promptfoo), /\/results\/results\/3\/success must be true or/],
      ['no results', JSON.stringify(none), /It has no results of promptfoo 0\.123\.1\./],
      ['half a JSON', JSON.stringify(promptfoo).slice(0, 9000), /this is no exported run JSON/],
      [
        'half a zip',
        zip.subarray(0, zip.length / 2),
        /zip archive cannot be read: its end is missing/,
      ],
      ['a size above the limit', large, /header\.json has 314,572,800 bytes, and 256 MB are/],
      ['more content than it says', bomb, /header\.json is damaged/],
      ['Zstandard', zstd, hasZstd ? /is damaged/ : /needs Node 22\.15 or newer; this is v/],
      ['a line of another type', `${lines(event('a'))}\n3\n`, /\/1 must be an object, not 3/],
      ['half a line', `${lines(event('a'))}\n{"id":`, /line 2:1:7/],
    ];
    for (const [what, content, message] of table) {
      const error = await refusal(() => documentsOf(written(content)));
      expect(error.message, what).to.match(message);
      expect(error.code, what).to.be.oneOf(['bad-request', 'unreadable-run']);
    }
  });

  it('saves no run when one of them cannot be saved', async () => {
    const [first, second] = await documentsOf(join(fixtures, 'promptfoo.json'));
    const store = await temporaryStore();
    const error = await refusal(() => store.importRuns([first, { ...second, run_name: '\u0000' }]));
    expect(error.message).to.contain('A run name');
    expect(await store.listSessions()).to.deep.equal([]);
  });
});
