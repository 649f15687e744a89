import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Call, CallMessage } from '../../src/model/calls/model-call.js';
import { packCalls } from '../../src/model/calls/stored-calls.js';
import { openStore } from '../../src/store/store.js';
import {
  finished,
  finishedRun,
  newRun,
  plan,
  readAll,
  temporaryFolder,
} from '../store/builders.js';
import { type CommandResult, runCommands } from './run-commands.js';

const runId = '3f9a0c12be77';

const question: CallMessage = { role: 'user', content: 'The capital of France?' };
const answer: CallMessage = { role: 'assistant', content: 'Paris' };
const call: Call = {
  number: 1,
  role: 'target',
  method: 'POST',
  url: 'https://api.openai.com/v1/chat/completions',
  status: 200,
  start: 0.1,
  end: 0.9,
  cost: 0.5,
  model_call: {
    provider: 'openai',
    operation: 'chat',
    messages: [question],
    answer: [answer],
    tools: [{ name: 'maps' }],
    tool_calls: [{ name: 'maps', arguments: { city: 'Paris' } }],
    usage: { input: 9, output: 1 },
  },
};

/** A folder with saved runs: `brisk-otter` with two results and `calm-heron` before it. */
async function project(): Promise<string> {
  const cwd = temporaryFolder();
  const store = await openStore(join(cwd, '.assay', 'sessions'));
  await finishedRun(store, 1, { run_id: '3f9a00000000', run_name: 'calm-heron', created_at_ms: 1 });
  const owner = await store.createRun(newRun({ run_id: runId }));
  owner.plan([plan(0), plan(1)]);
  owner.schedule({ kind: 'run', rows: 'all' });
  owner.finish([
    finished(0, { output: '=1+1' }),
    finished(1, { scores: [{ key: 'exact', passed: false }] }),
  ]);
  await owner.close('finished');
  await owner.run.close();
  return cwd;
}

async function exportRun(cwd: string, ...argv: readonly string[]): Promise<CommandResult> {
  const [result] = await runCommands(cwd, [['export', ...argv]]);
  if (result === undefined) throw new Error('the command gave no result');
  return result;
}

describe('assay export', () => {
  it('prints the same run JSON however the run is called', async () => {
    const cwd = await project();
    const folder = join('.assay', 'sessions', 'default', runId);
    const [first, ...others] = await runCommands(cwd, [
      ['export', runId],
      ['export', '3f9a0c'],
      ['export', 'brisk-otter', '--session', 'default', '-f', 'json'],
      ['export', 'latest', '-o', '-'],
      ['export', folder, '--json'],
      ['export', join(folder, 'run.json')],
      ['export', runId, '-o', 'out.json'],
      ['export', 'out.json'],
    ]);
    const document = first?.stdout ?? '';
    const run = JSON.parse(document);
    expect(run).to.include({ run_id: runId, total_evaluations: 2, total_passed: 1 });
    const store = await openStore(join(cwd, '.assay', 'sessions'));
    expect(run.results).to.deep.equal(await readAll(store, runId));
    expect(readFileSync(join(cwd, 'out.json'), 'utf8')).to.equal(document);
    expect(others.map(({ code }) => code)).to.deep.equal([0, 0, 0, 0, 0, 0, 0]);
    expect(others.map(({ stdout }) => stdout === document)).to.deep.equal([
      true,
      true,
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(others[5]).to.include({ stdout: '', stderr: '2 results written to out.json\n' });
  });

  it('takes the format from the name of the file and says with --json what it wrote', async () => {
    const cwd = await project();
    const { stdout, stderr } = await exportRun(cwd, runId, '-o', 'out.csv', '--json');
    const text = readFileSync(join(cwd, 'out.csv'), 'utf8');
    expect(JSON.parse(stdout)).to.deep.equal({
      file: join(cwd, 'out.csv'),
      format: 'csv',
      bytes: Buffer.byteLength(text),
    });
    expect(stderr).to.equal('');
    const rows: { output: string; 'score:exact': string }[] = parse(text, { columns: true });
    expect(rows.map((row) => [row.output, row['score:exact']])).to.deep.equal([
      ["'=1+1", 'true'],
      ['out 1', 'false'],
    ]);
  });

  it('writes the columns asked for, and formulas as they are with --raw', async () => {
    const cwd = await project();
    const flags = ['-f', 'csv', '--columns', 'eval,output', '--columns', 'score:exact', '--raw'];
    const { stdout } = await exportRun(cwd, runId, ...flags);
    expect(stdout).to.equal(
      'function,output,score:exact\r\nrefund[0],=1+1,true\r\nrefund[1],out 1,false\r\n',
    );
  });

  it('has the texts of calls with --calls only, also after an import', async () => {
    const cwd = temporaryFolder();
    const store = await openStore(join(cwd, '.assay', 'sessions'));
    const owner = await store.createRun(newRun({ run_id: runId }));
    owner.plan([plan(0)]);
    owner.schedule({ kind: 'run', rows: 'all' });
    owner.finish([
      finished(0, {
        calls: packCalls({ calls: [call] }),
        usage: { calls: 1, cost: 0.5, by_role: {} },
      }),
    ]);
    await owner.close('finished');
    await owner.run.close();
    const [plain, whole, traces, said, , , again, file] = await runCommands(cwd, [
      ['export', runId],
      ['export', runId, '--calls'],
      ['export', runId, '-f', 'otlp'],
      ['export', runId, '-f', 'otlp', '--calls'],
      ['export', runId, '--calls', '-o', 'whole.json'],
      ['sessions', 'import', 'whole.json'],
      ['export', 'latest', '--calls'],
      ['export', 'whole.json', '-f', 'otlp', '--calls'],
    ]);
    const resultOf = (text = '') => JSON.parse(text).results[0].result;
    expect(resultOf(plain?.stdout)).to.include.keys('usage').and.not.include.keys('calls');
    expect(resultOf(whole?.stdout).calls).to.deep.equal([call]);
    expect(resultOf(whole?.stdout).trace_data.messages).to.deep.equal([question, answer]);
    expect(resultOf(again?.stdout)).to.deep.equal(resultOf(whole?.stdout));
    expect(traces?.stdout).to.include('gen_ai.usage.input_tokens').and.not.to.include('Paris');
    expect(said?.stdout).to.include('Paris');
    expect(file?.stdout).to.equal(said?.stdout);
  });

  it('writes a Markdown report', async () => {
    const { stdout } = await exportRun(await project(), 'calm-heron', '-f', 'md');
    expect(stdout).to.match(/^# calm-heron\n/);
    expect(stdout).to.include('████████████████████');
  });

  it('finds a run although a folder has its name', async () => {
    const cwd = await project();
    mkdirSync(join(cwd, 'brisk-otter'));
    expect(JSON.parse((await exportRun(cwd, 'brisk-otter')).stdout).run_id).to.equal(runId);
  });

  it('refuses flags that do not fit', async () => {
    const results = await runCommands(await project(), [
      ['export', runId, '-f', 'xml'],
      ['export', runId, '--columns', 'id'],
      ['export', runId, '-f', 'csv', '--columns', 'ouput'],
      ['export', runId, '--raw'],
      ['export', runId, '-f', 'md', '--calls'],
      ['export', runId, '-f', 'otlp', '--columns', 'id'],
      ['export', runId, '-f', 'csv', '--json'],
      ['export'],
    ]);
    expect(results.map(({ code }) => code)).to.deep.equal(Array(8).fill(2));
    const said = results.map(({ stderr }) => stderr);
    expect(said[0]).to.include('--format takes json, csv, md, otlp, html or jsonl, not "xml".');
    expect(said[1]).to.include('A JSON export has no columns to choose.');
    expect(said[2]).to.match(/Unknown column: ouput\.\n {2}Did you mean output/);
    expect(said[3]).to.include('--raw is for CSV, and this is json.');
    expect(said[4]).to.include('--calls is for JSON and OTLP, and this is md.');
    expect(said[5]).to.include('An OTLP export has no columns to choose.');
    expect(said[6]).to.include('Omit --json, or write to a file with -o.');
    expect(said[7]).to.match(/^✗ RUN is missing\.\n {2}RUN: Run id/);
    expect(JSON.parse(results[6]?.stdout ?? '').error.code).to.equal('usage');
  });
});
