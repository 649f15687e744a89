import { builtUi } from '../helpers/browser.js';
import type { Files } from '../helpers/project-folder.js';
import { ServedProject } from '../helpers/served-project.js';

const prefix = `
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
const folder = new URL('.', import.meta.url);
const waiting = async (file: string) => { while (existsSync(new URL(file, folder))) await delay(20); };
`;

const agents = (count: number) => `${prefix}
const queues = ['billing', 'shipping', 'warranty'];
const cases = ['en', 'de', 'fr'].flatMap((language) => ['first', 'second'].flatMap((turn) => queues.map((queue) => ({
  id: 'invoice_' + queue + '_' + language + '_' + turn + '_contact', labels: ['regression', 'tools', language],
  input: { customer: 'C-20417', messages: [{ role: 'user', content: 'Where is my order? ' + queue }] },
  reference: { handoff: turn === 'second', queue: queue + '_' + language },
})))).slice(0, ${count});
const keys = ['tool_args', 'asks_once', 'refund_amount', 'correctness', 'exact_orders_and_returns', 'grounded_in_tool_results',
  'answers_in_the_language_of_the_customer', 'no_promise_without_a_policy', 'no_leak'];
const hash = (text: string) => [...text].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 997, 7);
export const escalate_on_request_after_two_failed_attempts = evaluation({
  dataset: 'support_agent_escalations', cases,
  target: async ({ input, caseId, params }) => ({ handoff: hash(caseId + (params.prompt ?? '')) % 3 > 0, queue: caseId,
    // Latencies that differ by a factor of a hundred.
    waited: caseId.startsWith('invoice_billing_en') ? await delay(100, '0.1 s') : 'no',
    reply: 'Good day! I have looked for your order, it left our warehouse this morning. '.repeat(2) + 'https://shop.example/orders/A-20417/tracking?carrier=unknown&language=en'.repeat(3) }),
}, (ctx) => {
  for (const key of keys) ctx.score({ key, passed: hash(ctx.caseId + key + (ctx.params.prompt ?? '')) % 5 > 0, notes: 'Compared with the policy. '.repeat(6) });
  ctx.score('conciseness', hash(ctx.caseId) / 997);
});
export const track_parcel = evaluation({
  dataset: 'orders', cases: [{ id: 'unknown_carrier_with_an_identifier_of_a_hundred_and_more_characters_as_generators_like_to_make_them_up', input: 'x' }],
  target: () => { throw new TypeError('Cannot read properties of undefined (reading "carrier_of_the_parcel")'); },
});
export const cancel_order = evaluation({
  dataset: 'orders', trials: 5, cases: [{ id: 'twice', input: 'Cancel A-7, please.', reference: 'Cancelled.' }],
  target: ({ trial }) => (trial === 2 ? 'Cancelled.' : 'Your order A-7 was cancelled once.'),
}, (ctx) => { ctx.score('correctness', ctx.trial % 2 === 0); });
`;

/** One evaluation waits while the file `hold` is there. */
const late = `${prefix}
export const waits_for_the_warehouse = evaluation({ dataset: 'late', cases: Array.from({ length: 4 }, (_, n) => ({ id: 'parcel_' + n, input: n })),
  target: async () => { await waiting('hold'); return 'late'; } }, (ctx) => { ctx.score('correctness', true); });
`;

const settings = `configs:
  careful-prompt-with-examples-v14: { params: { prompt: careful } }
`;

/**
 * A project with long names, many scores, errors, trials and configs, which nothing has run yet; so many of its results,
 * 18 at most, are of one function.
 */
export function serveRealWorld(files: Files = {}, count = 18): Promise<ServedProject> {
  return ServedProject.start(
    { 'agents.eval.ts': agents(count), 'late.eval.ts': late, 'assay.yaml': settings, ...files },
    { ui: builtUi, session: 'support-agent-nightly-regression' },
  );
}

/** A run with as long a name and config as people give. */
export const longNamed = [
  'nightly-regression-of-the-support-agent-2026-11-22',
  'careful-prompt-with-examples-v14',
] as const;

/** Runs all under a name, by one of the configs; answers with the id of the run. */
export async function runNamed(
  served: ServedProject,
  name: string,
  config = 'default',
): Promise<string> {
  await served.post('/api/configs/select', { name: config });
  return (await served.post('/api/runs/new?wait=true', { run_name: name })).body.run_id;
}
