import { subscribe } from 'node:diagnostics_channel';
import { errorMonitor } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isModelSocket } from '../../calls/wire/model-socket.js';
import type { BeginCall, CallRecord, CallStart } from './call-record.js';
import { headersOf } from './headers.js';
import { capturePushes, take } from './observe-stream.js';
import { replaceMethod } from './replace-method.js';

/** Begins a call of the running code; `undefined` where calls are recorded elsewhere. */
export type BeginHere = () => BeginCall | undefined;

/** The error of a refused request of the running code; `undefined` if it may be made. */
export type RefuseHere = (request: Pick<CallStart, 'method' | 'url'>) => Error | undefined;

/** Records a request whose body has been captured so far. */
export type RecordRequest = (request: ClientRequest, begin: BeginCall) => void;

/** Records calls of `node:http` and `node:https` from now on; returns a function that records a given request. */
export function observeHttp(
  { ClientRequest }: typeof import('node:http'),
  beginHere: BeginHere,
  refuseHere: RefuseHere,
): RecordRequest {
  const records = new WeakMap<ClientRequest, CallRecord | undefined>();
  const record: RecordRequest = (request, begin) =>
    void records.set(request, beginRequest(request, begin));
  const recordOf = (request: ClientRequest): CallRecord | undefined => {
    if (!records.has(request)) {
      const begin = isExchange(request) || opensModelSocket(request) ? beginHere() : undefined;
      const refusal = begin && refuseHere(headOf(request));
      if (begin === undefined || refusal !== undefined) records.set(request, undefined);
      else record(request, begin);
      if (refusal !== undefined) request.destroy(refusal);
    }
    return records.get(request);
  };
  // They are inherited: from here on a request has its own.
  for (const name of ['flushHeaders', 'write', 'end'] as const) {
    replaceMethod(
      ClientRequest.prototype,
      name,
      (inherited) =>
        function (this: ClientRequest, ...given: unknown[]): unknown {
          const known = recordOf(this);
          if (known !== undefined) take(known.request, given);
          return Reflect.apply(inherited, this, given);
        },
    );
  }
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const known = records.get(request);
    if (known === undefined || known.hasEnded) return;
    known.answered(response.statusCode ?? 0, headersOf(response.headers));
    capturePushes(response, known);
  });
  return record;
}

/** One request and one answer; not another protocol, and not the tunnel of a proxy. */
export function isExchange(request: ClientRequest): boolean {
  return request.method !== 'CONNECT' && request.getHeader('upgrade') === undefined;
}

/** A request for a WebSocket to a model: what it carries is not seen. */
function opensModelSocket(request: ClientRequest): boolean {
  return (
    /^websocket$/i.test(String(request.getHeader('upgrade'))) && isModelSocket(headOf(request).url)
  );
}

export function headOf(request: ClientRequest): Pick<CallStart, 'method' | 'url'> {
  const { protocol, host, path, method } = request;
  const authority = String(request.getHeader('host') ?? host);
  return { method, url: `${protocol}//${authority}${path}` };
}

function beginRequest(request: ClientRequest, begin: BeginCall): CallRecord {
  const isOpaque = !isExchange(request);
  const record = begin({ ...headOf(request), ...(isOpaque && { isOpaque }) });
  request.once(errorMonitor, (error) => record.failed(error));
  return record;
}
