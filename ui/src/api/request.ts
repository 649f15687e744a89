import { readProblem, ServerGone } from './problem.js';
import type { operations, paths } from './schema.js';

/** The JSON that an operation answers with. */
export type AnswerOf<O extends keyof operations> = Answer<operations[O]>;

/** The JSON that an operation takes. */
export type RequestBody<O extends keyof operations> = Body<operations[O]>;

type Answer<O> = O extends { responses: { 200: { content: { 'application/json': infer T } } } }
  ? T
  : never;

type Body<O> = O extends { requestBody?: { content: { 'application/json': infer T } } } ? T : never;

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** The addresses of the API that know a method. */
type Address<M extends Method> = {
  [A in keyof paths]: paths[A][M] extends { responses: unknown } ? A : never;
}[keyof paths];

/** The parts of a request; `path`: the values of its address. */
interface Options<O> {
  readonly query?: URLSearchParams;
  readonly body?: Body<O> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

type Parts<O> = O extends { parameters: { path: infer P } }
  ? [Options<O> & { readonly path: P }]
  : [Options<O>?];

/** Sends a request. Errors: `ApiProblem` for a refusal, `ServerGone` without an answer. */
export async function send<M extends Method, A extends Address<M>>(
  method: M,
  address: A,
  ...[parts = {}]: Parts<paths[A][M]>
): Promise<Response> {
  const { query, body, headers, signal } = parts;
  const values: Readonly<Record<string, unknown>> = 'path' in parts ? Object(parts.path) : {};
  const path = address.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  let response: Response;
  try {
    response = await fetch(query?.size ? `${path}?${query}` : path, {
      method: method.toUpperCase(),
      headers: { ...type, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ServerGone({ cause: error });
  }
  if (!response.ok) throw await readProblem(response);
  return response;
}

/** Sends a request and reads the JSON of its answer. */
export async function call<M extends Method, A extends Address<M>>(
  method: M,
  address: A,
  ...parts: Parts<paths[A][M]>
): Promise<Answer<paths[A][M]>> {
  const response = await send(method, address, ...parts);
  return (await response.json()) as Answer<paths[A][M]>;
}
