import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** What a server has answered. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** Requests over one connection that stays open. */
export function keptConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(`${url}${path}`, { agent, method, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    const { statusCode: status, headers: told } = response;
    return { status, retryAfter: told['retry-after'], body: await text(response) };
  };
}

/** Asks again until it works; fails after 5 s. */
export async function untilItWorks(ask: () => Promise<Answer>): Promise<void> {
  for (const end = performance.now() + 5000; ; await delay(50)) {
    const { status, body } = await ask();
    if (status < 300) return;
    if (performance.now() > end) throw new Error(`${status}: ${body}`);
  }
}
