import { type ClientRequest, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import axios from 'axios';
import { expect } from 'chai';
import got from 'got';
import nodeFetch from 'node-fetch';
import { answerRequest } from '../../../src/host/calls/hold-http.js';

/** An agent without connections. */
function agentFor(answer: () => Response) {
  return { addRequest: (request: ClientRequest) => answerRequest(request, answer()) } as never;
}

const url = 'http://model.test/v1';
const post = { method: 'POST', body: '{}' };
const clients: Record<string, (answer: () => Response) => Promise<[number, string]>> = {
  axios: async (answer) => {
    const validateStatus = () => true;
    const options = { httpAgent: agentFor(answer), responseType: 'text', validateStatus } as const;
    const { status, data } = await axios.post(url, '{}', options);
    return [status, data];
  },
  got: async (answer) => {
    const options = { agent: { http: agentFor(answer) }, body: '{}', throwHttpErrors: false };
    const { statusCode, body } = await got.post(url, { ...options, retry: { limit: 0 } });
    return [statusCode, body];
  },
  'node-fetch': async (answer) => {
    const response = await nodeFetch(url, { ...post, agent: agentFor(answer) });
    return [response.status, await response.text()];
  },
};

/** A body that comes in pieces, and may break. */
function pieces(texts: readonly string[], error?: Error): ReadableStream<Uint8Array> {
  const left = [...texts];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next !== undefined) controller.enqueue(Buffer.from(next));
      else if (error !== undefined) controller.error(error);
      else controller.close();
    },
  });
}

describe('answers without a connection', () => {
  for (const [client, ask] of Object.entries(clients)) {
    it(`reach ${client}`, async () => {
      const json = { 'content-type': 'application/json', 'content-length': '999' };
      expect(await ask(() => new Response('{"a":"ü"}', { headers: json }))).to.deep.equal([
        200,
        '{"a":"ü"}',
      ]);
      expect(await ask(() => new Response(pieces(['one', '', 'two'])))).to.deep.equal([
        200,
        'onetwo',
      ]);
      expect(await ask(() => new Response('slow down', { status: 429 }))).to.deep.equal([
        429,
        'slow down',
      ]);
      expect(await ask(() => new Response(null, { status: 204 }))).to.deep.equal([204, '']);
      const headers = { 'content-encoding': 'gzip' };
      expect(await ask(() => new Response(gzipSync('small'), { headers }))).to.deep.equal([
        200,
        'small',
      ]);
      const broken = () => new Response(pieces(['one'], new Error('gone')));
      const failed = await ask(broken).catch((error: Error) => error);
      expect(failed).to.be.instanceOf(Error);
    }).timeout(5000);
  }

  it('have their headers, cookies and reason', async () => {
    const headers = new Headers({ 'x-a': '1' });
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    const agent = agentFor(
      () => new Response('hi', { status: 418, statusText: 'Teapot', headers }),
    );
    const answer = await new Promise<unknown>((resolve) => {
      httpRequest(url, { agent }, async (response) => {
        const body = await text(response);
        const { statusMessage, complete } = response;
        resolve([statusMessage, complete, body, response.headers]);
      }).end();
    });
    expect(answer).to.deep.equal([
      'Teapot',
      true,
      'hi',
      {
        'content-type': 'text/plain;charset=UTF-8',
        'set-cookie': ['a=1', 'b=2'],
        'x-a': '1',
        'transfer-encoding': 'chunked',
      },
    ]);
  });

  it('end when the client leaves', async () => {
    let cancelled: (() => void) | undefined;
    const left = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.from('x'.repeat(1000))),
      cancel: () => cancelled?.(),
    });
    const { data } = await axios.post(url, '{}', {
      httpAgent: agentFor(() => new Response(endless)),
      responseType: 'stream',
    });
    for await (const piece of data) {
      expect(piece.length).to.be.above(0);
      break;
    }
    await left;
  });
});
