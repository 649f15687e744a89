import { subscribe } from 'node:diagnostics_channel';
import { errorMonitor } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { BeginCall, CallRecord } from './call-record.js';
import { headersOf } from './head-values.js';
import { capturePushes, take } from './observe-stream.js';

/** How the running code begins a call; nothing where calls are recorded elsewhere. */
export type BeginHere = () => BeginCall | undefined;

/** Records the calls of `node:http` and `node:https`: those whose request is written from now on. */
export function observeHttp({ ClientRequest }: typeof import('node:http'), begin: BeginHere): void {
  const records = new WeakMap<ClientRequest, CallRecord | undefined>();
  const recordOf = (request: ClientRequest): CallRecord | undefined => {
    if (!records.has(request)) records.set(request, beginRequest(request, begin));
    return records.get(request);
  };
  // They are inherited: from here on a request has its own.
  for (const name of ['write', 'end'] as const) {
    const inherited = ClientRequest.prototype[name];
    const observed = function (this: ClientRequest, ...given: unknown[]): unknown {
      const record = recordOf(this);
      if (record !== undefined) take(record.request, given);
      return Reflect.apply(inherited, this, given);
    };
    Object.defineProperty(observed, 'length', { value: inherited.length });
    Object.defineProperty(ClientRequest.prototype, name, {
      value: observed,
      configurable: true,
      writable: true,
    });
  }
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const record = records.get(request);
    if (record === undefined || record.hasEnded) return;
    record.answered(response.statusCode ?? 0, headersOf(response.headers));
    capturePushes(response, record);
  });
}

function beginRequest(request: ClientRequest, begin: BeginHere): CallRecord | undefined {
  const here = begin();
  if (here === undefined || request.getHeader('upgrade') !== undefined) return undefined;
  const { protocol, host, path, method } = request;
  const authority = String(request.getHeader('host') ?? host);
  const record = here({
    method,
    url: `${protocol}//${authority}${path}`,
    headers: headersOf(request.getHeaders()),
  });
  request.once(errorMonitor, (error) => record.failed(error));
  return record;
}
