import {
  appendFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AssayError } from '../../src/errors.js';
import { jsonExporter } from '../../src/exporters/json.js';
import { otlpExporter } from '../../src/exporters/otlp/otlp.js';
import type { Trace } from '../../src/model/calls/model-call.js';
import { packCalls } from '../../src/model/calls/stored-calls.js';
import { readResultPage } from '../../src/model/result-page.js';
import type { Store } from '../../src/store/store.js';
import { openStreamedRun } from '../../src/store/streamed-run.js';
import { finished, finishedRun, readAll, refusal, startedRun, temporaryStore } from './builders.js';

const oneCall = packCalls({
  calls: [{ number: 1, role: 'target', method: 'POST', url: 'http://model.test', start: 0 }],
} as unknown as Trace);

async function savedRun(count: number): Promise<{ store: Store; runId: string; log: string }> {
  const store = await temporaryStore();
  const runId = await finishedRun(store, count);
  return { store, runId, log: join(store.root, 'default', runId, 'results.jsonl') };
}

describe('a damaged log', () => {
  it('keeps every readable line and counts the others', async () => {
    const { store, runId, log } = await savedRun(2);
    const before = await readAll(store, runId);
    const [header = '', ...others] = readFileSync(log, 'utf8').split('\n');
    const garbage = [
      'no json',
      '\0\0\0\0\0\0',
      '{"type":"finished","index":0}',
      '{"type":"finished","index":99,"at":"","status":"completed","output":1,"scores":[],"error":null,"latency":1,"trace_data":{}}',
      '{"type":"planned","index":4000000000,"id":"","evaluation":"","function":"","dataset":"","labels":[],"input":1,"reference":1,"metadata":{}}',
      '{"type":"unheard of","at":""}',
      '[]',
      '{"type":"edited","index":0,"at":"","scores":{"before":[],"after":[{"key":""}]}}',
    ];
    writeFileSync(log, [header, ...garbage, '', '\r', ...others].join('\n'));
    expect(await readAll(store, runId)).to.deep.equal(before);
    const run = await store.openRun(runId);
    expect(run.problems).to.have.lengthOf(1);
    expect(run.problems[0]).to.match(new RegExp(`^9 lines of .*byte ${header.length + 1}\\.$`));
    await run.close();
  });

  it('with a damaged line of calls keeps the result, and says once that calls are missing', async () => {
    const store = await temporaryStore();
    const owner = await startedRun(store, 2);
    owner.finish([0, 1].map((index) => finished(index, { calls: oneCall })));
    await owner.close('finished');
    await owner.run.close();
    const { runId } = owner.run;
    const log = join(store.root, 'default', runId, 'results.jsonl');
    const damage = /("type":"calls","index":0,"calls":)\[/;
    writeFileSync(log, readFileSync(log, 'utf8').replace(damage, '$1x'));
    const run = await store.openRun(runId);
    expect(run.trace(0)).to.deep.equal({ calls: [], unreadable: true });
    expect(run.trace(1).calls).to.have.lengthOf(1);
    expect(readResultPage(run, run.head(), 0).result.result.output).to.equal('out 0');
    expect(run.problems).to.have.lengthOf(1);
    expect(run.problems[0]).to.match(
      /^1 line of .* cannot be read and was left out, at byte \d+\.$/,
    );
    await run.close();

    const streamed = await openStreamedRun(join(log, '..'));
    for (const exporter of [jsonExporter, otlpExporter]) {
      let text = '';
      for await (const piece of exporter.render(streamed.run, { calls: true })) text += piece;
      expect(text).to.contain('refund[0]').and.contain('http://model.test');
    }
    expect(streamed.problems).to.have.lengthOf(1);
    await streamed.close();
  });

  it('without one planned line keeps the places of all rows', async () => {
    const { store, runId, log } = await savedRun(3);
    const lines = readFileSync(log, 'utf8').split('\n');
    writeFileSync(
      log,
      lines.filter((line) => !line.startsWith('{"type":"planned","index":1')).join('\n'),
    );
    const entries = await readAll(store, runId);
    expect(entries.map((entry) => entry.id)).to.deep.equal([
      'evals/a.eval.ts::refund[0]',
      'unreadable::row-1',
      'evals/a.eval.ts::refund[2]',
    ]);
    expect(entries[1]?.result.output).to.equal('out 1');
  });

  it('without its first line still says which run it is, from run.json', async () => {
    const { store, runId, log } = await savedRun(1);
    writeFileSync(log, readFileSync(log, 'utf8').replace(/^.*\n/, 'garbled\n'));
    const run = await store.openRun(runId);
    expect(run.head()).to.include({ run_id: runId, run_name: 'brisk-otter', total_passed: 1 });
    await run.close();
  });

  it('takes nothing but the identity from run.json', async () => {
    const { store, runId, log } = await savedRun(1);
    const path = join(log, '..', 'run.json');
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('"total_passed": 1', '"total_passed": 7'),
    );
    const run = await store.openRun(runId);
    expect(run.head().total_passed).to.equal(1);
    await run.close();
  });

  it('of a newer format can be read, not changed or run', async () => {
    const { store, runId, log } = await savedRun(1);
    writeFileSync(log, readFileSync(log, 'utf8').replace('"format":1', '"format":2'));
    const run = await store.openRun(runId);
    expect(run.readOnly).to.equal(true);
    expect(run.entry(0).result.output).to.equal('out 0');
    expect(run.problems.join()).to.contain('newer assay');
    for (const act of [() => run.edit(0, { annotation: 'x' }), () => store.ownRun(runId)]) {
      const error = await act().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(AssayError).with.property('code', 'newer-format');
    }
    await run.close();
    expect((await store.listRuns()).map((one) => one.run_id)).to.deep.equal([runId]);
  });
});

describe('a torn last line', () => {
  it('loses only itself when another process appends', async () => {
    const { store, runId, log } = await savedRun(1);
    appendFileSync(log, '{"type":"edited","index":0,"at":"20');
    const run = await store.openRun(runId);
    expect(run.problems.join()).to.contain('incomplete (35 bytes)');
    await run.edit(0, { annotation: 'after' });
    expect(run.entry(0).result.annotation).to.equal('after');
    await run.close();
    const [entry] = await readAll(store, runId);
    expect(entry?.result.annotation).to.equal('after');
  });

  it('is moved aside by the owner, and by nobody else', async () => {
    const { store, runId, log } = await savedRun(1);
    const whole = readFileSync(log);
    appendFileSync(log, '{"torn');
    await (await store.openRun(runId)).close();
    expect(readFileSync(log)).to.have.lengthOf(whole.length + 6);
    const owner = await store.ownRun(runId);
    expect(readFileSync(log)).to.deep.equal(whole);
    expect(readFileSync(`${log}.broken-1`, 'utf8')).to.equal('{"torn');
    expect(owner.run.problems.join()).to.contain('results.jsonl.broken-1');
    await owner.close('finished');
    await owner.run.close();
  });

  it('that is longer than any line of ours is counted and moved aside whole', async () => {
    const { store, runId, log } = await savedRun(1);
    const whole = readFileSync(log);
    const length = 257 * 1024 * 1024 + 11;
    truncateSync(log, whole.length + length);
    const run = await store.openRun(runId);
    expect(run.problems.join()).to.contain(`incomplete (${length} bytes)`);
    await run.close();
    const owner = await store.ownRun(runId);
    expect(readFileSync(log)).to.deep.equal(whole);
    expect(statSync(`${log}.broken-1`).size).to.equal(length);
    await owner.run.edit(0, { annotation: 'after' });
    await owner.close('finished');
    await owner.run.close();
    const [entry] = await readAll(store, runId);
    expect(entry?.result.annotation).to.equal('after');
  });

  it('that its owner has moved aside is no longer spoken of', async () => {
    const { store, runId, log } = await savedRun(1);
    appendFileSync(log, '{"torn');
    const run = await store.openRun(runId);
    const owner = await store.ownRun(runId);
    await owner.close('finished');
    await owner.run.close();
    await run.refresh();
    expect(run.problems).to.deep.equal([]);
    await run.close();
  });

  it('counts when only its line end is missing', async () => {
    const store = await temporaryStore();
    const made = await startedRun(store, 1);
    made.finish([finished(0)]);
    await made.run.close();
    const log = join(made.run.folder, 'results.jsonl');
    truncateSync(log, readFileSync(log).length - 1);
    const run = await store.openRun(made.run.runId);
    expect(run.rows[0]?.status).to.equal('completed');
    await run.edit(0, { annotation: 'kept' });
    await run.close();
    const [entry] = await readAll(store, made.run.runId);
    expect(entry?.result).to.include({ status: 'completed', annotation: 'kept' });
    expect(readdirSync(made.run.folder).filter((name) => name.includes('broken'))).to.deep.equal(
      [],
    );
  });
});

describe('refreshing an open run', () => {
  it('takes in what others appended', async () => {
    const { store, runId } = await savedRun(2);
    const [reader, writer] = [await store.openRun(runId), await store.openRun(runId)];
    const before = reader.rows.slice();
    await writer.edit(1, { scores: [{ key: 'exact', passed: false }] });
    await reader.refresh();
    expect(reader.rows[0]).to.equal(before[0]);
    expect(reader.rows[1]?.scores).to.deep.equal([
      { key: 'exact', passed: false, source: 'human' },
    ]);
    await reader.close();
    await writer.close();
  });

  it('reads everything again when the log shrank or was replaced', async () => {
    const { store, runId, log } = await savedRun(2);
    const run = await store.openRun(runId);
    await run.edit(0, { annotation: 'x' });
    truncateSync(log, readFileSync(log, 'utf8').indexOf('{"type":"edited"'));
    await run.refresh();
    expect(run.entry(0).result.annotation).to.equal('');
    await run.close();
  });

  it('never takes text that somebody has put in the place of a result for one', async () => {
    const { store, runId, log } = await savedRun(2);
    const run = await store.openRun(runId);
    const text = readFileSync(log, 'utf8');
    const line = text.split('\n').find((one) => one.startsWith('{"type":"finished"')) ?? '';
    writeFileSync(log, text.replace(line, 'x'.repeat(line.length)));
    const error = await refusal(() => run.entry(0));
    expect(error).to.be.instanceOf(AssayError).with.property('code', 'unreadable-run');
    expect(error.message).to.include(log);
    await run.close();
  });

  it('of a run that was deleted is an error that names it', async () => {
    const { store, runId } = await savedRun(1);
    const run = await store.openRun(runId);
    await store.deleteRun(runId);
    const error = await run.edit(0, { annotation: 'x' }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(AssayError).with.property('code', 'storage-unusable');
    await run.close();
  });
});
