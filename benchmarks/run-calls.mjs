#!/usr/bin/env node
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../dist/store/store.js';
import { serve } from './server/serving.mjs';

const usage = `Measures what a server takes for the calls of a large run: the first page, which reads them all, then pages,
sorts and filters; and the difference of the requests of two such runs.

  node benchmarks/run-calls.mjs [--results N] [--calls N] [--bytes N]

  --results N   results of a run (10000)
  --calls N     calls of each (5)
  --bytes N     bytes of each message (1000)
`;

const { values: options } = parseArgs({
  options: {
    results: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '5' },
    bytes: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});
const [results, calls, bytes] = [options.results, options.calls, options.bytes].map(Number);

if (options.help) console.log(usage);
else await measure();

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-run-calls-'));
  const root = join(folder, 'sessions');
  try {
    const runs = [await makeRun(root, 'before'), await makeRun(root, 'after')];
    const log = statSync(join(root, 'default', runs[0], 'results.jsonl')).size;
    console.log(`${results * calls} calls of ${results} results, ${Math.round(log / 1e6)} MB`);
    const server = await serve(folder, root);
    try {
      for (const [name, path] of requestsFor(runs)) {
        const before = server.processorTime();
        const { text, took } = await server.send('GET', path);
        const used = server.processorTime() - before;
        const times = `${Math.round(took)} ms, ${used} ms of processor time`;
        console.log(`${name.padEnd(28)} ${times}, ${text.length} bytes`);
      }
      console.log(`memory of the server: ${Math.round(server.memory().most)} MB at most`);
    } finally {
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function requestsFor([before, after]) {
  const page = (query) => `/api/runs/${after}/calls?limit=100&${query}`;
  return [
    ['the run, opened', `/api/runs/${after}/rows?limit=1&summary=false`],
    ['first page, by cost', page('sort=cost&order=desc')],
    ['the same again', page('sort=cost&order=desc')],
    ['by latency', page('sort=latency&order=desc')],
    ['a page further down', page('sort=latency&order=desc&offset=40000&summary=false')],
    ['failed ones', page('sort=latency&state=failed')],
    ['search', page('sort=cost&search=case_12')],
    ['the other run, opened', `/api/runs/${before}/rows?limit=1&summary=false`],
    ['prompts of both', `/api/compare/prompts?run=${before}&run=${after}`],
    ['traces that part', `/api/compare/traces?run=${before}&run=${after}&parts=!nowhere&limit=50`],
  ];
}

async function makeRun(root, name) {
  const store = await openStore(root);
  const head = { session_name: 'default', run_name: name, path: '.', config_name: 'default' };
  const owner = await store.createRun({ ...head, selection: {} });
  for (let first = 0; first < results; first += 1000) {
    const indices = Array.from({ length: Math.min(1000, results - first) }, (_, at) => first + at);
    owner.plan(indices.map(planned));
  }
  owner.schedule({ kind: 'run', rows: 'all' });
  for (let first = 0; first < results; first += 1000) {
    const indices = Array.from({ length: Math.min(1000, results - first) }, (_, at) => first + at);
    owner.finish(indices.map((index) => finished(index, name)));
  }
  await owner.close('finished');
  await owner.run.close();
  return owner.run.runId;
}

function planned(index) {
  const id = `evals/support.eval.ts::case_${index}`;
  return {
    ...{ index, id, evaluation: id, function: `case_${index}`, dataset: `set-${index % 5}` },
    ...{ labels: [], input: `Where is order ${index}?`, reference: null, metadata: {} },
  };
}

function finished(index, name) {
  return {
    ...{ index, status: 'completed', output: `answer ${index}`, error: null, latency: 1 },
    scores: [{ key: 'exact', passed: (index * 7) % 10 > 0 }],
    ...{ trace_data: {}, regradable: true, calls: callsOf(index, name) },
  };
}

/** An agent that asks for a tool in every call but the last. */
function callsOf(index, name) {
  const texts = [
    { role: 'system', content: filled(`You are the agent of a shop, as ${name}.`) },
    { role: 'user', content: filled(`Where is order ${index}?`) },
    { type: 'function', function: { name: 'orders.get', description: filled('Reads an order.') } },
  ];
  const messages = [0, 1];
  const list = [];
  for (let number = 1; number <= calls; number += 1) {
    const isLast = number === calls;
    const said = isLast ? `It is on its way, says ${name}.` : `step ${number}`;
    const answer = texts.push({ role: 'assistant', content: filled(said) }) - 1;
    list.push(callOf({ index, number, isLast, messages: [...messages], answer: [answer] }));
    const told = texts.push({ role: 'tool', content: filled(`order ${index} of ${number}`) }) - 1;
    messages.push(answer, told);
  }
  return { calls: list, texts };
}

function callOf({ index, number, isLast, messages, answer }) {
  const seed = (index * 31 + number * 17) % 997;
  const id = `call_${index}_${number}`;
  return {
    ...{ number, role: number === calls ? 'evaluator:tone' : 'target', method: 'POST' },
    ...{ url: 'https://api.openai.com/v1/chat/completions', status: seed === 0 ? 429 : 200 },
    ...{ start: number, first_token: number + 0.2, end: number + 0.3 + seed / 500 },
    ...{ request_size: 4000, response_size: 900, cost: seed / 1e5 },
    headers: { 'content-type': 'text/event-stream', 'x-request-id': `req_${index}_${number}` },
    model_call: {
      ...{ provider: 'openai', operation: 'chat', model: number === calls ? 'judge' : 'large' },
      ...{ response_model: 'large-2026-01-01', response_id: `chatcmpl-${index}-${number}` },
      ...(!isLast && { tool_calls: [{ id, name: 'orders.get', arguments: { id: `A-${index}` } }] }),
      ...{ parameters: { temperature: 0.2, max_tokens: 800 }, finish_reason: 'stop', stream: true },
      usage: { input: 1000 + seed, cache_read: seed, output: 50 + (seed % 40) },
      ...{ messages, answer, tools: [2] },
    },
  };
}

function filled(text) {
  return text.padEnd(bytes, ' and so on');
}
