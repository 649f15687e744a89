import { builtUi } from '../helpers/browser.js';
import { type FakeProvider, type FakeReply, startFakeProvider } from '../helpers/fake-provider.js';
import { linkPackages } from '../helpers/project-folder.js';
import { ServedProject } from '../helpers/served-project.js';

const evals = (url: string) => `
import { evaluation } from 'assay';
import { spanProcessor } from 'assay/otel';
import { generateText, jsonSchema, stepCountIs, tool as aiTool } from 'ai6';
import { createOpenAI } from 'ai-sdk-openai-3';
const url = ${JSON.stringify(url)};
async function post(body: object) {
  return fetch(url + '/v1/chat/completions?api-key=canary-secret', {
    method: 'POST', body: JSON.stringify(body),
    headers: { authorization: 'Bearer canary-secret', 'content-type': 'application/json' },
  });
}
async function ask(model: string, text: string) {
  const response = await post({ model, messages: [{ role: 'user', content: text }] });
  return ((await response.json()) as any).choices[0].message.content as string;
}
const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object', properties: {} } } });
async function agent(question: string) {
  const messages: any[] = [
    { role: 'system', content: 'You cancel orders.' },
    ...Array.from({ length: 9 }, (_, n) => ({ role: n % 2 ? 'assistant' : 'user', content: 'Example ' + n })),
    { role: 'user', content: question },
  ];
  const body = () => ({ model: 'gpt-4o-mini', temperature: 0.2, max_tokens: 800, tools: [tool('weather'), tool('time')], messages });
  for (let n = 0; n < 5; n += 1) {
    let response = await post(body());
    while (response.status === 429) {
      await response.text();
      await new Promise((resolve) => setTimeout(resolve, 60));
      response = await post(body());
    }
    const { message } = ((await response.json()) as any).choices[0];
    messages.push(message);
    if (message.tool_calls === undefined) break;
    await (await fetch(url + '/orders/A-7')).text();
    for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: '{"ok": true}' });
  }
  const streamed = await post({ model: 'gpt-4o-mini', stream: true, stream_options: { include_usage: true }, messages });
  await streamed.text();
  return 'Your order was cancelled.';
}
export const cancel = evaluation({
  labels: ['tools'],
  cases: [{ id: 'once', input: 'Cancel A-7, please.', reference: 'Your order was cancelled.' }],
  target: (ctx) => agent(ctx.input),
  evaluators: [
    async function correctness({ output }) { await ask('gpt-5', 'Is it right? ' + output); return true; },
    async function grounded({ output }) { await ask('gpt-5', 'Claims? ' + output); await ask('tiny-judge', 'True?'); return false; },
    async function broken() { await (await post({ model: 'gpt-5-mini-fake-broken', messages: [{ role: 'user', content: 'x' }] })).text(); return true; },
    async function halved() {
      const response = await post({ model: 'gpt-5-mini-fake-cut', stream: true, messages: [{ role: 'user', content: 'x' }] });
      await response.text().catch(() => {});
      return true;
    },
  ],
});
export const late = evaluation({
  target: async () => { void post({ model: 'gpt-5-mini-fake-late', messages: [{ role: 'user', content: 'x' }] }).then((answer) => answer.text()); return 'early'; },
}, () => {});
export const own = evaluation({
  target: async (ctx) => { ctx.traceData.messages = [{ role: 'user', content: 'Said by hand.' }]; return ask('gpt-5-mini', 'hidden'); },
}, () => {});
export const silent = evaluation({ target: () => 'nothing' }, () => {});
export const many = evaluation({
  target: async () => {
    const messages: object[] = [];
    for (let n = 0; n < 200; n += 1) {
      messages.push({ role: 'user', content: 'Question ' + n + (n === 0 ? ' ' + 'long '.repeat(450_000) : '') });
      const response = await post({ model: 'gpt-5-mini', messages: messages.slice(n < 10 ? 0 : 1) });
      messages.push(((await response.json()) as any).choices[0].message);
    }
  },
}, () => {});
const refund = aiTool({
  inputSchema: jsonSchema<{ order: string }>({ type: 'object', properties: { order: { type: 'string' } } }),
  execute: async ({ order }) => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    if (order === 'A-8') throw new Error('A-8 was never paid');
    return order === 'A-9' ? { ok: false } : { ok: true, amount: 42.5 };
  },
});
export const tools = evaluation({
  target: async () => {
    const model = createOpenAI({ baseURL: url + '/v1', apiKey: 'k' }).chat('gpt-5-mini');
    const { text } = await generateText({ model, tools: { refund }, stopWhen: stepCountIs(3), prompt: 'Refund all.' });
    return text;
  },
}, () => {});
export const steps = evaluation({
  target: async () => {
    for (let step = 0; step < 14; step += 1) {
      await ask('gpt-5-mini', 'Step ' + step);
      await inSpan('app.agents.support.tools.orders.find', undefined, async () => {});
      await inSpan('app.agents.support.tools.orders.' + (step === 3 ? 'fails' : 'refund'), undefined, async () => {});
    }
    return 'all steps';
  },
}, () => {});
let spanned = 0;
async function inSpan(name: string, parent: string | undefined, act: (id: string) => Promise<unknown>) {
  spanned += 1;
  const id = 'span' + spanned;
  const status = name.endsWith('fails') ? { code: 2, message: 'no such order' } : { code: 0 };
  const span = { name, attributes: { order: 'A-7' }, status, spanContext: () => ({ spanId: id }), ...(parent && { parentSpanContext: { spanId: parent } }) };
  spanProcessor.onStart(span);
  await act(id);
  spanProcessor.onEnd(span);
}
export const spans = evaluation({
  target: async () => {
    await inSpan('plan', undefined, async (plan) => {
      await inSpan('look up', plan, () => new Promise((resolve) => setTimeout(resolve, 20)));
      await inSpan('quick', plan, async () => {});
    });
    await inSpan('fails', undefined, async () => {});
    return 'no call';
  },
}, () => {});
`;

/** Where the evaluations of {@link serveCalls} are in the run. */
export const at = { cancel: 0, late: 1, own: 2, silent: 3, many: 4, tools: 5, steps: 6, spans: 7 };

/** Evaluations that call a provider, with the built web UI. */
export async function serveCalls(): Promise<{
  readonly served: ServedProject;
  readonly provider: FakeProvider;
}> {
  const provider = await startFakeProvider((exchange): FakeReply | undefined => {
    const { json, model, repeat } = exchange;
    const said = JSON.stringify(json);
    if (said.includes('Cancel A-7')) {
      if (repeat === 0) return { status: 429, retryAfter: 0 };
      if (repeat === 1) {
        const call = { id: 'call_1', name: 'weather', arguments: { city: 'Wien' } };
        return { text: '', toolCalls: [call] };
      }
      return repeat === 2
        ? {
            text: '',
            toolCalls: ['a', 'b'].map((id) => ({ id, name: 'time', arguments: { zone: id } })),
          }
        : { text: 'Done.', ...(json.stream === true && { delay: 80 }) };
    }
    if (said.includes('Refund all.') && !said.includes('tool_call_id')) {
      const toolCalls = ['A-7', 'A-8', 'A-9'].map((order) => ({
        id: order,
        name: 'refund',
        arguments: { order },
      }));
      return { text: '', toolCalls };
    }
    return model.endsWith('late') ? { delay: 150 } : undefined;
  });
  const files = { 'calls.eval.ts': evals(provider.url) };
  const served = await ServedProject.start(files, { ui: builtUi, hosts: true });
  linkPackages(served.project.folder, ['ai6', 'ai-sdk-openai-3']);
  return { served, provider };
}
