import type { BeginCall, CallRecord } from './call-record.js';
import { observeResponse } from './observed-response.js';
import { captureRequestBody, headOfFetch } from './request-body.js';

/** Runs a function that makes a call, so that the layers below do not record it again. */
type RunInCall = <Result>(work: () => Result) => Result;

type FetchArguments = Parameters<typeof fetch>;

/** Makes a call by `fetch` and records it; calls that cannot be read are made all the same. */
export async function observeFetch(
  real: typeof fetch,
  given: FetchArguments,
  begin: BeginCall,
  runInCall: RunInCall,
): Promise<Response> {
  const { record, options } = beginFetch(given, begin);
  let response: Response;
  try {
    response = await runInCall(() => real(given[0], options));
  } catch (error) {
    record?.failed(error);
    throw error;
  }
  if (record === undefined) return response;
  try {
    const { status, headers, url, redirected } = response;
    record.answered(status, Object.fromEntries(headers), redirected ? url : undefined);
    return observeResponse(response, record);
  } catch {
    // Not one of Node's: the real fetch has been replaced.
    record.note('The answer could not be read.');
    record.left();
    return response;
  }
}

function beginFetch(
  given: FetchArguments,
  begin: BeginCall,
): { readonly record: CallRecord | undefined; readonly options: FetchArguments[1] } {
  const [input, init] = given;
  try {
    const { method, url } = headOfFetch(given);
    const record = begin({ method, url, isDecoded: true });
    if (record.start.body !== undefined) return { record, options: init };
    return { record, options: captureRequestBody(input, init, record.request).init };
  } catch {
    // Arguments that fetch itself refuses.
    return { record: undefined, options: init };
  }
}
