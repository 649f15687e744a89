import { expect } from 'chai';
import type { StoredCall, StoredCalls } from '../../../src/model/calls/stored-calls.js';
import type { Json } from '../../../src/model/json.js';
import { type GivenResult, judged, type ServedRuns, serveRuns } from './served-runs.js';

/** An exchange: what is sent behind the instructions, and what is answered. */
interface Exchange {
  readonly sent: readonly Json[];
  readonly answer: Json;
}

const user = (content: string): Json => ({ role: 'user', content });
const said = (content: string): Json => ({ role: 'assistant', content, reasoning: Math.random() });
let drawn = 0;
const asks = (name: string): Json => {
  drawn += 1;
  const call = { id: `call_${drawn}`, type: 'function', function: { name, arguments: '{"id":1}' } };
  return { role: 'assistant', content: null, tool_calls: [call] };
};
const tool = (content: string): Json => ({ role: 'tool', tool_call_id: `call_${drawn}`, content });

const offered = [{ type: 'function', function: { name: 'find', description: 'Finds.' } }];

const traced = (
  name: string,
  passed: boolean,
  exchanges: readonly Exchange[],
  { system = 'Be kind.', max = 100 } = {},
): GivenResult => {
  const texts: Json[] = [{ role: 'system', content: system }, ...offered];
  const calls = exchanges.map(({ sent, answer }, n): StoredCall => {
    const messages = [0, ...sent.map((message) => texts.push(message) - 1)];
    const isAsking = (answer as { tool_calls?: unknown }).tool_calls !== undefined;
    return {
      ...{ number: n + 1, role: 'target', method: 'POST', url: 'http://m/', status: 200 },
      ...{ start: n, end: n + 1, headers: { 'x-secret': 'header' } },
      model_call: {
        ...{ provider: 'openai', operation: 'chat', model: 'large', parameters: { max } },
        ...(isAsking && { tool_calls: [{ name: 'find', arguments: { id: 1 } }] }),
        ...{ messages, answer: [texts.push(answer) - 1], tools: [1] },
      },
    };
  });
  const stored: StoredCalls = { calls, texts };
  return judged(name, passed, { calls: stored });
};

/** A question, a tool, and the answer. */
const asked = (question: string, told: string, answer: string): Exchange[] => [
  { sent: [user(question)], answer: asks('find') },
  { sent: [user(question), asks('find'), tool(told)], answer: said(answer) },
];

describe('GET /api/compare/prompts and /traces', () => {
  let served: ServedRuns;
  let query: string;

  // Stores are removed after each test.
  beforeEach(async () => {
    served = await serveRuns();
    const base = await served.run([
      traced('same', true, asked('q', 'x', 'done')),
      traced('input', true, asked('q of 1', 'x', 'done')),
      traced('call', true, asked('q', 'x', 'done')),
      traced('tool', true, asked('q', 'x', 'done')),
      traced('last', false, asked('q', 'x', 'done')),
      judged('silent', true),
    ]);
    const changed = { system: 'Be brief.', max: 50 };
    const other = await served.run([
      traced('same', true, asked('q', 'x', 'done'), changed),
      traced('input', true, asked('q of 2', 'x', 'done'), changed),
      traced('call', false, [{ sent: [user('q')], answer: said('no idea') }], changed),
      traced('tool', true, asked('q', 'y', 'done'), changed),
      traced('last', true, asked('q', 'x', 'ready'), changed),
      judged('silent', true),
    ]);
    query = `run=${base.run.runId}&run=${other.run.runId}`;
  });

  it('tells what is common to the requests once, and counts where traces part', async () => {
    const { parts, varying, partings, ...rest } = await served.ask(`/api/compare/prompts?${query}`);
    expect(rest).to.deep.include({ compared: 5, without: 1 });
    const common = { role: 'target', pairs: 5 };
    const names = ['same', 'input', 'call', 'tool', 'last'];
    expect(parts).to.deep.equal([
      { ...common, part: 'system', evaluations: names, same: false, a: 'Be kind.', b: 'Be brief.' },
      {
        ...{ ...common, part: 'parameters', evaluations: names, same: false },
        ...{ a: { model: 'large', max: 100 }, b: { model: 'large', max: 50 } },
      },
      { ...common, part: 'tools', evaluations: names, same: true, a: offered, b: offered },
    ]);
    expect(varying).to.deep.equal([]);
    expect(partings).to.deep.equal([
      { value: 'first_message', count: 1 },
      { value: 'first_call', count: 1 },
      { value: 'later_call', count: 0 },
      { value: 'tool_answer', count: 1 },
      { value: 'last_answer', count: 1 },
      { value: 'nowhere', count: 1 },
    ]);
  });

  it('shows the first step that differs, regressed cases first, without headers', async () => {
    const { text, body } = await served.get(`/api/compare/traces?${query}&parts=!nowhere`);
    expect(text).to.not.include('x-secret');
    const order = body.cases.map((one: { function: string; parts: string }) => [
      one.function,
      one.parts,
    ]);
    expect(order).to.deep.equal([
      ['call', 'first_call'],
      ['last', 'last_answer'],
      ['input', 'first_message'],
      ['tool', 'tool_answer'],
    ]);
    const [first, last, , answered] = body.cases;
    expect(first).to.include({ change: 'regressed', call: 1 });
    expect(first.sides[0]).to.deep.include({
      ...{ calls: 2, same: 0, more: 1, answer: 'done' },
      step: { kind: 'calls', tools: [{ name: 'find', arguments: { id: 1 } }] },
    });
    expect(first.sides[1].step).to.deep.equal({
      ...{ kind: 'answer', role: 'assistant', text: 'no idea' },
    });
    expect(last.sides[1]).to.deep.include({ same: 1, tools: ['find'], more: 0 });
    expect(answered.sides[1].step).to.deep.equal({ kind: 'tool', role: 'tool', text: 'y' });
    const fixed = await served.ask(`/api/compare/traces?${query}&change=fixed`);
    expect(fixed).to.include({ filtered: 1, total: 5 });
    const only = `case=${encodeURIComponent(first.id)}`;
    const one = await served.ask(`/api/compare/traces?${query}&${only}`);
    expect(one.cases.map(({ id }: { id: string }) => id)).to.deep.equal([first.id]);
  });
});
