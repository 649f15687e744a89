import { readProblem, ServerGone } from './problem.js';
import type { operations } from './schema.js';

type Operation = keyof operations;

/** The JSON that an operation answers with. */
export type AnswerOf<O extends Operation> = operations[O]['responses'] extends {
  200: { content: { 'application/json': infer T } };
}
  ? T
  : never;

/** The JSON that an operation takes. */
export type RequestBody<O extends Operation> = operations[O] extends {
  requestBody?: { content: { 'application/json': infer T } };
}
  ? T
  : never;

/** Parameters and body of a request. */
export interface RequestOptions {
  readonly query?: URLSearchParams;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a request. Errors: `ApiProblem` for a refusal, `ServerGone` without an answer. */
export async function send(
  method: string,
  path: string,
  { query, body, headers = {}, signal }: RequestOptions = {},
): Promise<Response> {
  const search = query === undefined || query.size === 0 ? '' : `?${query}`;
  let response: Response;
  try {
    response = await fetch(`${path}${search}`, {
      method,
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ServerGone({ cause: error });
  }
  if (!response.ok) throw await readProblem(response);
  return response;
}

/** Sends a request and reads the JSON of its answer. */
export async function call<O extends Operation>(
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<AnswerOf<O>> {
  const response = await send(method, path, options);
  return (await response.json()) as AnswerOf<O>;
}

/** A path of the API with its values percent-encoded: `` path`/api/runs/${id}/data` ``. */
export function path(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return texts.reduce((whole, text, n) => {
    return `${whole}${encodeURIComponent(String(values[n - 1] ?? ''))}${text}`;
  });
}
