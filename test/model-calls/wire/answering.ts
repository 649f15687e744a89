import type { ModelExchange } from '../../../src/model/calls/model-call.js';
import { type FakeReply, startFakeProvider } from '../../helpers/fake-provider.js';
import { lastSeen } from './seen.js';

/** A provider that answers what a test says. */
export interface Answering extends AsyncDisposable {
  readonly url: string;
  readonly http2Url: string;
  /** What is seen of a call that is answered so. */
  seenOf(answer: FakeReply, ask: () => Promise<unknown>): Promise<ModelExchange>;
}

export async function startAnswering(): Promise<Answering> {
  let reply: FakeReply = {};
  const provider = await startFakeProvider(() => reply);
  return {
    url: provider.url,
    http2Url: provider.http2Url,
    seenOf: async (answer, ask) => {
      reply = answer;
      await ask();
      return lastSeen(provider);
    },
    [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
  };
}

/** Reads a stream to its end. */
export async function drain(stream: AsyncIterable<unknown> | undefined): Promise<void> {
  for await (const _ of stream ?? []);
}

export function json(value: unknown): FakeReply {
  return { raw: JSON.stringify(value) };
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
