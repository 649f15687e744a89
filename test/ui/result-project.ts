import type { Page } from 'playwright-core';
import { builtUi, openPage, type PageOptions } from '../helpers/browser.js';
import { ServedProject } from '../helpers/served-project.js';

const reference = 'Order `7` was cancelled **once**.\n\n1. You get **€42** back.';
const wrong = 'Order `7` was cancelled **twice**.\n\n1. You get **€84** back.';

/** Evaluations with every kind of value; the last waits while the file `hold` is there. */
export const orders = `
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluation } from 'assay';
class ToolError extends Error { name = 'ToolError'; }
const reference = ${JSON.stringify(reference)};
const wrong = ${JSON.stringify(wrong)};
const png = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

export const cancel = evaluation({
  labels: ['tools'],
  metadata: { prompt: 'v14' },
  cases: [{ id: 'twice', input: { order: { id: 'A-7', total: 42.5 }, tools: ['get', 'cancel'] }, reference }],
  trials: 3,
  target: (ctx) => {
    console.log('calling \\u001b[31mtools\\u001b[0m');
    console.error('already cancelled');
    if (ctx.trial === 3) throw new ToolError('the tool answered 503');
    ctx.traceData.traceUrl = 'https://traces.example/t/1';
    ctx.traceData.messages = [
      { role: 'user', content: 'Cancel A-7.' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'cancel', arguments: '{"id":"A-7"}' } }] },
      { role: 'tool', tool_call_id: 'c', content: '{"ok":true}' },
    ];
    return ctx.trial === 1 ? reference : wrong;
  },
}, (ctx) => {
  ctx.score({ key: 'correct', passed: ctx.output === reference, notes: 'against the reference' });
  ctx.score('tone', 0.5);
});
export const picture = evaluation({ input: png, target: () => [{ role: 'assistant', content: 'Red.' }] }, (ctx) => { ctx.score('label', false); });
export const long = evaluation({ input: 'word '.repeat(9000), target: () => Array.from({ length: 400 }, (_, n) => n) }, () => {});
export const waits = evaluation({ target: async () => { while (existsSync(new URL('hold', import.meta.url))) await delay(20); return 'late'; } }, () => {});
`;

/** A server with these evaluations and the built web UI. */
export function serveOrders(files: Readonly<Record<string, string>> = {}): Promise<ServedProject> {
  return ServedProject.start({ 'orders.eval.ts': orders, ...files }, { ui: builtUi });
}

/** Opens an address of the server. */
export async function open(served: ServedProject, path: string, options?: PageOptions) {
  const opened = await openPage(options);
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await opened.page.goto(`${served.url}${path}`);
  return opened;
}

/** The part of a result's page with this heading. */
export function part(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}
