import { builtUi } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';

/** Evaluations as real ones are: long texts, 60 scores, conversations of 81 messages. */
const evals = `
import { evaluation } from 'assay';

const sections = ['What went wrong', 'Your orders and what comes back', 'What I did', 'What I need from you', 'If something is still wrong'];
const paragraph = 'Your first order \`A-20421\` was paid twice because the payment page was opened in two tabs. The second payment was never linked to an order, so nobody saw it. When you cancelled on 14 November, only the linked payment was refunded.';
const table = '| Order | Item | State | Paid | Back | When |\\n|---|---|---|--:|--:|---|\\n' +
  Array.from({ length: 5 }, (_, n) => '| \`A-2042' + n + '\` | Kettle, matt black | cancelled 14 Nov | €42.50 | €42.50 | done, 19 Nov |').join('\\n');
const code = '\`\`\`json\\n' + JSON.stringify({ case: 'C-7730', refunds: [{ order: 'A-20421', amount: 42.5, state: 'paid' }, { order: 'A-20466', amount: 43.4, state: 'open' }] }, null, 2) + '\\n\`\`\`';
const answer = 'I looked at all three orders, the two parcels and your earlier messages. **You get €128.40 back**, €42.50 of it today.\\n\\n' +
  sections.map((title, n) => '## ' + title + '\\n\\n' + [paragraph, n === 1 ? table : n === 2 ? '1. Linked the second payment.\\n2. Opened claim \`NW-88213\`.\\n3. Put a note on your account.' : n === 4 ? code : paragraph].join('\\n\\n')).join('\\n\\n');

const input = {
  customer: { id: 'C-7730', name: 'Orla Byrne', since: '2021-03-02', locale: 'en-IE' },
  orders: Array.from({ length: 30 }, (_, n) => ({ id: 'A-20' + (400 + n), item: 'Kettle', total: 42.5, state: n % 3 ? 'delivered' : 'cancelled', lines: [{ sku: 'K-1', n: 1 }, { sku: 'F-3', n: 2 }] })),
  policy: 'Refund once. Never promise a date for the carrier.',
};

/** 81 messages in the shape of Anthropic, with thoughts, calls, failures and Markdown. */
function thread() {
  const messages: object[] = [{ role: 'system', content: 'You are the support agent of a shop for kettles.' }];
  for (let turn = 0; turn < 16; turn += 1) {
    messages.push({ role: 'user', content: 'Turn ' + turn + ': where is my refund for A-20421? I have asked before.' });
    messages.push({ role: 'assistant', content: [
      { type: 'thinking', thinking: 'The customer has asked ' + turn + ' times. First the history, then the payments.' },
      { type: 'tool_use', id: 'a' + turn, name: 'orders.history', input: { id: 'A-20421' } },
      { type: 'tool_use', id: 'b' + turn, name: 'refunds.create', input: { payment: 'p_5512', amount: 85 } },
      { type: 'tool_use', id: 'c' + turn, name: 'orders.history', input: { id: 'A-20466' } },
    ] });
    messages.push({ role: 'user', content: [
      { type: 'tool_result', tool_use_id: 'a' + turn, content: '{"events": 11}' },
      { type: 'tool_result', tool_use_id: 'b' + turn, content: '{"ok": false, "reason": "amount exceeds the payment, 42.50"}' },
      { type: 'tool_result', tool_use_id: 'c' + turn, content: '{"ok": true}' },
    ] });
    messages.push({ role: 'assistant', content: 'I found **two payments** for \`A-20421\`:\\n\\n' + Array.from({ length: turn % 4 === 0 ? 22 : 4 }, (_, n) => (n + 1) + '. Payment \`p_55' + n + '\` of €42.50, ' + (n % 2 ? 'linked' : 'not linked') + ' to the order.').join('\\n') });
    messages.push({ role: 'user', content: '{"event": "page_view", "page": {"path": "/orders/A-20421", "seconds": ' + turn + '}}' });
  }
  return messages;
}

const keys = ['refund_amount', 'grounded', 'no_promise', 'asks_once', 'tool_order', 'tool_args', 'no_leak', 'locale', 'currency', 'dates_iso', 'schema', 'signature'];
export const thread_summary = evaluation({
  labels: ['multi-turn', 'long'],
  metadata: { prompt: 'support/v14', model: 'house-large' },
  cases: [{ id: 'lost_parcel_two_payments', input }],
  trials: 3,
  target: (ctx) => {
    for (let n = 0; n < 40; n += 1) console.log('agent: step ' + n);
    ctx.traceData.messages = thread();
    return answer;
  },
}, (ctx) => {
  for (let n = 0; n < 54; n += 1) {
    const key = n < keys.length ? keys[n]! : 'check_' + keys[n % keys.length] + '_' + n;
    const passed = !(ctx.trial === 2 && n % 14 === 1);
    ctx.score({ key, passed, ...(passed ? (n % 5 === 0 ? { notes: 'As asked.' } : {}) : { notes: 'Says €85.00 in turn 4; the tool refused it. The final answer has the right sum, but the customer has read the wrong one before.' }) });
  }
  for (const [n, key] of ['politeness', 'empathy', 'readability', 'conciseness', 'coverage', 'judge_overall'].entries()) ctx.score(key, (n + 2) / 9);
});
export const short = evaluation({
  input: 'Cancel A-7, please.',
  target: () => 'Your order **A-7** was cancelled.\\n\\nYou get €42 back.',
}, (ctx) => {
  ctx.score('polite', true);
  ctx.score({ key: 'correct', passed: false, notes: 'expected { id: "A-7" }\\n+ actual - expected\\n\\n  {\\n+   id: "A-8"\\n-   id: "A-7"\\n  }' });
});
const fees = (changed: Record<string, number>) => ({
  currency: 'EUR',
  countries: Object.fromEntries(Array.from({ length: 60 }, (_, n) => ['c' + n, changed['c' + n] ?? n])),
});
export const fee_table = evaluation({ input: 'fees', reference: fees({}), target: () => fees({ c9: -1, c50: -2 }) }, () => {});
export const essay = evaluation({
  input: 'word '.repeat(400),
  target: () => {
    return Array.from({ length: 900 }, (_, n) => 'Paragraph ' + n + ' speaks of ' + (n % 300 === 7 ? 'moment ' + Date.now() : 'tea') + ', and of little else that would matter here.').join('\\n');
  },
}, () => {});
`;

/** Where the evaluations of {@link serveLong} are in the run. */
export const longAt = { first: 0, failing: 1, short: 3, fees: 4, essay: 5 };

/** A server with these evaluations and the built web UI. */
export function serveLong(): Promise<ServedProject> {
  return ServedProject.start({ 'handoff.eval.ts': evals }, { ui: builtUi });
}
