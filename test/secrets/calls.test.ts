import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { type FakeProvider, type FakeReply, startFakeProvider } from '../helpers/fake-provider.js';
import { Project } from '../helpers/project.js';
import { linkPackages } from '../helpers/project-folder.js';
import { ServedProject } from '../helpers/served-project.js';
import {
  credential,
  dotEnv,
  expectNoSecret,
  expectNoSecretBelow,
  inEnvironment,
  secrets,
} from './canaries.js';

const all = Object.values(secrets).join(' and ');
const first = inEnvironment.OPENAI_API_KEY ?? '';

/** What the model answers, by a word of the model's name: secrets in every part of an answer. */
const replies: Readonly<Record<string, FakeReply>> = {
  text: { text: `You sent ${all}` },
  tool: {
    text: '',
    toolCalls: [
      {
        id: first,
        name: 'look',
        arguments: { key: first, [first]: 1, headers: { authorization: `Bearer ${credential}` } },
      },
    ],
  },
  reasoning: { text: 'yes', reasoning: all },
  refused: {
    status: 401,
    raw: JSON.stringify({ error: { message: `Incorrect API key provided: ${first}`, code: all } }),
  },
  page: { status: 502, raw: `<h1>upstream ${first}</h1> Authorization: Bearer ${credential}-8` },
  broken: { raw: `{"choices": [{"message": "${first}` },
  'stream-error': { streamError: `no quota for ${first}` },
};

const evals = `
import Anthropic from '@anthropic-ai/sdk';
import axios from 'axios';
import { evaluation } from 'assay';
import OpenAI from 'openai';

const base = process.env.PROVIDER;
const key = process.env.OPENAI_API_KEY;
const all = ${JSON.stringify(Object.keys(secrets))}.map((name) => process.env[name]).join(' and ');
const openai = new OpenAI({ baseURL: base + '/v1', maxRetries: 1, defaultHeaders: { cookie: 'session=${credential}-1' } });
const anthropic = new Anthropic({ baseURL: base, apiKey: '${credential}-2', maxRetries: 0 });
const quietly = async (work) => { try { return await work(); } catch (error) { return error.constructor.name; } };
const messages = [
  { role: 'system', content: all },
  { role: 'user', content: [{ type: 'text', text: 'curl -H "Authorization: Bearer ${credential}-3" ' + all }] },
  { role: 'assistant', content: null, tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: JSON.stringify({ key, api_key: '${credential}-4' }) } }] },
  { role: 'tool', tool_call_id: '1', content: JSON.stringify({ key, headers: { 'x-api-key': '${credential}-5' } }) },
];
const tools = [{ type: 'function', function: { name: 'look', description: all, parameters: { type: 'object', properties: { [key]: { const: key } } } } }];

export const openaiCalls = evaluation({
  cases: ${JSON.stringify(Object.keys(replies))}.flatMap((model) => [false, true].map((stream) => ({ id: model + (stream ? ' streamed' : ''), input: { model, stream } }))),
  target: ({ input: { model, stream } }) => quietly(async () => {
    const answer = await openai.chat.completions.create({ model: 'fake-' + model, messages, tools, stream, user: key, stop: [key], metadata: { key } });
    if (stream) for await (const chunk of answer) void chunk;
    return 'done';
  }),
  evaluators: [async function judge() {
    await quietly(() => anthropic.messages.create({ model: 'fake-text', max_tokens: 9, system: all, messages: [{ role: 'user', content: all }] }));
    return true;
  }],
});

export const others = evaluation({
  cases: [{ id: 'fetch' }],
  target: async () => {
    const ask = (path, init) => quietly(async () => (await fetch(base + path, init)).text());
    await ask('/v1beta/models/gemini-fake-text:generateContent?key=' + key + '&alt=json&other=${credential}-6', { method: 'POST', body: JSON.stringify({ contents: [{ parts: [{ text: all }] }], key }) });
    const named = { method: 'POST', body: JSON.stringify({ model: 'fake-named-' + key, messages }) };
    await Promise.all([1, 2, 3].map(() => ask('/v1/chat/completions', named)));
    await ask('/bot' + key + '/send?model=' + encodeURIComponent(key), { method: 'POST', headers: { 'x-fake': JSON.stringify({ status: 500, raw: all }) }, body: all });
    await ask('/v1/chat/completions', { method: key.slice(0, 3).toUpperCase() + key.slice(3) });
    await quietly(() => fetch('http://user:${credential}-7@127.0.0.1:9/' + key));
    await quietly(() => axios.get('http://127.0.0.1:9/?token=' + key));
    await quietly(() => axios.post(base + '/v1/chat/completions', { model: key, messages }, { auth: { username: 'u', password: '${credential}-9' } }));
    return 'done';
  },
});
`;

describe('secrets in calls of models', () => {
  let provider: FakeProvider;

  before(async () => {
    provider = await startFakeProvider(({ model }) => replies[model.replace(/^.*fake-/, '')]);
  });

  it('are in no log, trace, export, report, recording or answer of the server', async () => {
    const env = { ...inEnvironment, PROVIDER: provider.url };
    const project = new Project({
      'calls.eval.ts': evals,
      '.env': dotEnv(),
      // So that some wait, which is stored by model.
      'assay.yaml': 'rates:\n  "*named*": { at_once: 1 }\n',
    });
    linkPackages(project.folder, ['openai', '@anthropic-ai/sdk', 'axios']);
    const reports = ['--reporter', 'junit=junit.xml', '--reporter', 'github', '-o', 'out.json'];
    const summary = { GITHUB_STEP_SUMMARY: project.path('summary.md') };
    const { run, stdout, stderr } = await project.run(['--verbose', '--record', ...reports], {
      env: { ...env, ...summary },
    });
    for (const [where, text] of Object.entries({ stdout, stderr })) expectNoSecret(text, where);
    for (const file of ['junit.xml', 'summary.md', 'out.json']) {
      expectNoSecret(project.read(file), file);
    }
    expectNoSecretBelow(project.path('.assay'));

    const ids = run.results.map(({ id }) => id);
    const commands = [
      ...['json', 'otlp'].map((format) => ['export', 'latest', '-f', format, '--calls']),
      ...['json', 'otlp', 'csv', 'md'].map((format) => ['export', 'latest', '-f', format]),
      // All that is saved has no secret, as the files say.
      ['show', 'latest', ids[0] ?? ''],
      ['show', 'latest', ids[0] ?? '', '--json'],
    ];
    for (const command of commands) {
      const { stdout: out, stderr: err } = await project.assay(command, { env });
      expectNoSecret(`${out}\n${err}`, command.join(' '));
    }
    const served = await ServedProject.start(project);
    for (const [index] of ids.entries()) {
      const { text } = await served.get(`/api/runs/${run.run_id}/results/${index}`);
      expectNoSecret(text, `result ${index} over HTTP`);
    }
    for (const path of ['rows', 'export/json?calls=true', 'export/otlp?calls=true']) {
      const { text } = await served.get(`/api/runs/${run.run_id}/${path}`);
      expectNoSecret(text, path);
    }

    const whole = await project.assay(['export', 'latest', '--calls']);
    const { results, waited, usage } = JSON.parse(whole.stdout) as RunJson;
    expect(Object.keys(waited ?? {})).to.deep.equal(['fake-named-[redacted:OPENAI_API_KEY]']);
    expect(usage?.unpriced_models).to.include('fake-named-[redacted:OPENAI_API_KEY]');
    const calls = results.flatMap(({ result }) => result.calls ?? []);
    expect(calls.length, 'calls were recorded').to.be.greaterThan(30);
    expect(whole.stdout).to.include('[redacted:OPENAI_API_KEY]');
    expect(calls.some(({ url }) => url.endsWith('?key=…&alt=json&other=…'))).to.equal(true);

    const offline = await project.run(['calls.eval.ts', '--verbose', '--offline'], { env });
    expect(offline.run.usage?.replayed).to.be.greaterThan(20);
    expectNoSecret(`${offline.stdout}\n${offline.stderr}`, 'a replay');
    expectNoSecretBelow(project.path('.assay'));
    expect(project.savedText('.assay/recordings')).to.include('[redacted:OPENAI_API_KEY]');
  }).timeout(240_000);
});
