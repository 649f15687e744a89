import { expect } from 'chai';
import type { Call } from '../../../src/model/calls/model-call.js';
import type { ResultPage } from '../../../src/model/result-page.js';
import { type FakeProvider, startFakeProvider } from '../../helpers/fake-provider.js';
import { Project } from '../../helpers/project.js';
import { linkPackages } from '../../helpers/project-folder.js';

const evals = `
import { evaluation } from 'assay';
import axios from 'axios';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import OpenAI from 'openai';

const baseURL = process.env.PROVIDER + '/v1';
const url = baseURL + '/chat/completions';
const client = new OpenAI({ baseURL, apiKey: 'k', maxRetries: 0 });
const request = (model: string, content = 'hello') => ({ model, messages: [{ role: 'user' as const, content }] });
const ask = async (model: string) => (await client.chat.completions.create(request(model))).choices[0]?.message.content;
async function stream(model: string) {
  let text = '';
  for await (const chunk of await client.chat.completions.create({ ...request(model), stream: true })) text += chunk.choices[0]?.delta.content ?? '';
  return text;
}
/** What the code of the user finds. */
async function found(work: () => unknown) {
  try {
    return { value: await work() };
  } catch (error) {
    const { name, message, cause } = error as Error;
    return { name, message, cause: String(cause) };
  }
}

export const cutStream = evaluation({ target: () => found(() => stream('gpt-fake-cut')) });
export const cutFetch = evaluation({ target: () => found(async () => (await fetch(url, { method: 'POST', body: JSON.stringify({ ...request('gpt-fake-cut'), stream: true }) })).text()) });
export const cutAxios = evaluation({ target: () => found(async () => (await axios.post(url, { ...request('gpt-fake-cut'), stream: true })).data) });
export const streamError = evaluation({ target: () => found(() => stream('gpt-fake-stream-error')) });
export const garbage = evaluation({ target: () => found(() => ask('gpt-fake-garbage')) });
export const broken = evaluation({ target: () => found(() => ask('gpt-fake-broken')) });
export const refused = evaluation({ target: () => found(() => fetch('http://127.0.0.1:1/v1/chat/completions', { method: 'POST', body: JSON.stringify(request('gpt-5-mini')) })) });
export const aborted = evaluation({
  target: () => found(async () => {
    const leaver = new AbortController();
    const chunks = await client.chat.completions.create({ ...request('gpt-fake-hold'), stream: true }, { signal: leaver.signal });
    for await (const _ of chunks) leaver.abort();
  }),
});
export const leaves = evaluation({
  target: async () => {
    for await (const chunk of await client.chat.completions.create({ ...request('gpt-fake-hold'), stream: true })) return typeof chunk.id;
  },
});
export const storm = evaluation({
  cases: Array.from({ length: 50 }, (_, at) => ({ id: String(at) })),
  target: () => found(() => ask('gpt-fake-busy')),
});
export const long = evaluation({
  target: () => found(async () => {
    const headers = { 'x-fake': JSON.stringify({ text: '' }) };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(request('gpt-long', 'x'.repeat(17_000_000))) });
    return (await response.text()).length;
  }),
});
export const threeMegabytes = evaluation({
  target: () => found(async () => (await client.chat.completions.create(request('gpt-5-mini', 'start ' + 'y'.repeat(3_000_000) + ' end'))).choices[0]?.message.content),
});
export const mocked = evaluation({
  target: () => found(async () => {
    const answer = { choices: [{ message: { content: 'mocked' } }] };
    const server = setupServer(http.post('https://api.openai.com/v1/chat/completions', () => HttpResponse.json(answer)));
    server.listen({ onUnhandledRequest: 'bypass' });
    try {
      const said = await new OpenAI({ apiKey: 'k' }).chat.completions.create(request('gpt-5-mini'));
      return [said.choices[0]?.message.content, await ask('gpt-5-mini'), (await axios.post(url, request('gpt-5-mini'))).status];
    } finally {
      server.close();
    }
  }),
});
`;

describe('calls that go wrong', () => {
  let provider: FakeProvider;
  let project: Project;
  const seen = new Map<string, ResultPage['result']['result']>();
  const unseen = new Map<string, unknown>();

  before(async function () {
    this.timeout(240_000);
    provider = await startFakeProvider(({ model }) =>
      model === 'gpt-long' ? { text: 'z'.repeat(17_000_000) } : undefined,
    );
    project = new Project({ 'faults.eval.ts': evals });
    linkPackages(project.folder, ['axios', 'msw', 'openai']);
    const env = { PROVIDER: provider.url };
    // Requests of others would pass through the mock server, too.
    const args = ['--concurrency', '1'];
    const off = await project.run(args, { env: { ...env, ASSAY_CAPTURE: 'off' } });
    for (const { id, result } of off.run.results) unseen.set(id, result.output);
    const { run } = await project.run(args, { env });
    const { stdout } = await project.assay(['export', 'latest', '-f', 'json', '--calls']);
    for (const { function: name, result } of JSON.parse(stdout).results) seen.set(name, result);
    for (const { id, result } of run.results)
      expect(result.output, id).to.deep.equal(unseen.get(id));
    expect(run.usage?.failed).to.be.at.least(50);
  });

  function callsOf(name: string): readonly Call[] {
    expect(seen.get(name)?.error, name).to.equal(null);
    return seen.get(name)?.calls ?? [];
  }

  function callOf(name: string): Call {
    const calls = callsOf(name);
    expect(calls, name).to.have.length(1);
    return calls[0] as Call;
  }

  for (const name of ['cutStream', 'cutFetch', 'cutAxios']) {
    it(`keeps what came of a stream that was cut: ${name}`, () => {
      const { status, error, end, model_call } = callOf(name);
      expect(status).to.equal(200);
      expect(error).to.be.a('string');
      expect(end).to.be.a('number');
      expect(model_call).to.deep.include({ model: 'gpt-fake-cut', stream: true, cut: true });
    });
  }

  it('tells an error in a stream, answers that are no JSON, and errors of the server', () => {
    expect(callOf('streamError').model_call?.error).to.include('Overloaded');
    expect(callOf('garbage')).to.deep.include({ status: 200 });
    expect(callOf('garbage').model_call?.model).to.equal('gpt-fake-garbage');
    expect(callOf('broken')).to.deep.include({ status: 500 });
    expect(callOf('broken').model_call?.error).to.include('Internal failure');
    expect(callOf('refused')).to.not.have.property('status');
    expect(callOf('refused').error).to.match(/^fetch failed: /);
  });

  it('tells calls that were aborted, and streams that were left, as the server does', async () => {
    await Promise.all([provider.left(), provider.left()]);
    expect(callOf('aborted').error).to.be.a('string');
    expect(callOf('leaves')).to.have.property('end');
    expect(callOf('leaves')).to.not.have.property('error');
    expect(callOf('leaves').model_call).to.deep.include({ stream: true });
  });

  it('tells each 429 of many', () => {
    const call = callOf('storm[0]');
    expect(call).to.deep.include({ status: 429 });
    expect(call.headers).to.have.property('retry-after', '1');
    expect(seen.get('storm[0]')?.usage).to.deep.include({ calls: 1, failed: 1 });
  });

  it('measures bodies of more than 16 MiB and does not read them', () => {
    const call = callOf('long');
    expect(call.request_size).to.be.greaterThan(17_000_000);
    expect(call.response_size).to.be.greaterThan(17_000_000);
    expect(call.note).to.equal(
      'The request and the answer had more than 16 MiB and were not read.',
    );
  });

  it('cuts the middle of texts to store at most 2 MiB of an attempt', () => {
    const call = callOf('threeMegabytes');
    const content = JSON.stringify(call.model_call?.messages);
    expect(content).to.include('start yyy').and.include('yyy end').and.have.length.below(200_000);
    expect(call.model_call?.usage).to.deep.include({ input: 120 });
    const line = project
      .savedText()
      .split('\n')
      .find((one) => one.startsWith('{"type":"calls"') && one.includes('start yyy'));
    expect(line?.length).to.be.below(2 * 1024 * 1024);
    expect(line).to.include('"cut":true');
  });

  it('sees what passes through MSW once, and not what it answers instead of fetch', () => {
    expect(seen.get('mocked')?.output).to.deep.equal({
      value: ['mocked', 'Grüße aus Wien 👋, it is 21 °C.', 200],
    });
    const calls = callsOf('mocked');
    expect(calls.map(({ url }) => new URL(url).hostname)).to.deep.equal(['127.0.0.1', '127.0.0.1']);
    for (const call of calls) expect(call.model_call?.usage).to.deep.include({ output: 30 });
  });
});
