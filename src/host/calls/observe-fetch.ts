import type { BeginCall, CallRecord } from './call-record.js';
import { observeResponse } from './observed-response.js';
import { captureRequestBody } from './request-body.js';

/** Runs a function that makes a call, so that the layers below do not record it again. */
type RunInCall = <Result>(work: () => Result) => Result;

type FetchArguments = Parameters<typeof fetch>;

/** Makes a call by `fetch` and records it; calls that cannot be read are made all the same. */
export async function observeFetch(
  real: typeof fetch,
  [input, init]: FetchArguments,
  begin: BeginCall,
  runInCall: RunInCall,
): Promise<Response> {
  const { record, options } = beginFetch(input, init, begin);
  let response: Response;
  try {
    response = await runInCall(() => real(input, options));
  } catch (error) {
    record?.failed(error);
    throw error;
  }
  if (record === undefined) return response;
  try {
    record.answered(response.status, Object.fromEntries(response.headers));
    return observeResponse(response, record);
  } catch {
    // Not one of Node's: the real fetch has been replaced.
    record.note('The answer could not be read.');
    record.left();
    return response;
  }
}

function beginFetch(
  input: FetchArguments[0],
  init: FetchArguments[1],
  begin: BeginCall,
): { readonly record: CallRecord | undefined; readonly options: FetchArguments[1] } {
  try {
    const request = input instanceof Request ? input : undefined;
    const record = begin({
      method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
      url: request?.url ?? String(input),
      headers: Object.fromEntries(new Headers(init?.headers ?? request?.headers)),
      isDecoded: true,
    });
    return { record, options: captureRequestBody(input, init, record.request).init };
  } catch {
    // Arguments that fetch itself refuses.
    return { record: undefined, options: init };
  }
}
