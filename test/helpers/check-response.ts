import { readVersion } from '../../src/package-root.js';
import { createOpenApi } from '../../src/server/openapi.js';
import { allRoutes, type Served } from '../../src/server/routes/index.js';
import { describedResponses, type ResponseDescription, schemaProblems } from './openapi-schemas.js';

/** An answer that fits the OpenAPI document. */
export interface CheckedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body of JSON answers and problem documents, else `undefined`. */
  // What a test reads of it is up to the test.
  // biome-ignore lint/suspicious/noExplicitAny: every operation answers something else
  readonly body: any;
}

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

// Handlers are not called here, so what they work on is never looked at.
const document = createOpenApi(allRoutes({} as Served), readVersion());

/** Statuses that any request can meet, described by `default`. */
const generalStatuses = [400, 401, 403, 404, 405, 408, 413, 414, 415, 431, 500, 503];

/**
 * Sends a request to a server and checks the answer: its status, media type, headers and body are those that the OpenAPI
 * document describes. Throws an `Error` that names everything that is not.
 */
export async function request(
  base: string,
  method: string,
  path: string,
  { body, headers = {} }: RequestOptions = {},
): Promise<CheckedResponse> {
  const response = await fetch(new URL(path, base), {
    method,
    redirect: 'manual',
    headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return checkResponse(method, path, response);
}

/** Checks an answer as {@link request} does; `path` is that of the request, with or without a query. */
export async function checkResponse(
  method: string,
  path: string,
  response: Response,
): Promise<CheckedResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /^application\/(problem\+)?json/.test(headers.get('content-type') ?? '');
  const answer = { status, headers, text, body: isJson ? parse(text) : undefined };
  const problems = answerProblems(method, path, answer);
  if (problems.length === 0) return answer;
  throw new Error(
    `${method} ${path} answered ${status}: ${problems.join('; ')}\n${text.slice(0, 2000)}`,
  );
}

function answerProblems(method: string, path: string, answer: CheckedResponse): string[] {
  const responses = describedResponses(document, method, path.split('?')[0] ?? path);
  const { status } = answer;
  const described = responses?.[status] ?? responses?.default;
  if (
    responses !== undefined &&
    responses[status] === undefined &&
    !generalStatuses.includes(status)
  ) {
    return [`status ${status} is not described`];
  }
  return [
    ...headerProblems(answer, described),
    ...(status >= 400 ? problemProblems(answer) : []),
    ...(described === undefined ? [] : bodyProblems(answer, described)),
  ];
}

function headerProblems({ status, headers }: CheckedResponse, described?: ResponseDescription) {
  const isVersioned = described?.headers.includes('ETag') === true || status === 304;
  const expected: readonly (readonly [string, string])[] = [
    ['x-content-type-options', 'nosniff'],
    ['cache-control', isVersioned ? 'private, no-cache' : 'no-store'],
  ];
  return [
    ...expected
      .filter(([name, value]) => headers.get(name) !== value)
      .map(([name, value]) => `${name} is ${headers.get(name)}, not ${value}`),
    ...(described?.headers ?? []).filter((name) => !headers.has(name)).map((name) => `no ${name}`),
    ...[...headers.keys()].filter((name) => name.startsWith('access-control-')),
    ...(status === 405 && !headers.has('allow') ? ['no Allow'] : []),
  ];
}

function problemProblems({ status, headers, body }: CheckedResponse): string[] {
  const mediaType = headers.get('content-type')?.split(';')[0];
  if (mediaType !== 'application/problem+json') return [`media type ${mediaType}`];
  return body?.status === status ? [] : [`the document says status ${body?.status}`];
}

function bodyProblems({ headers, text, body }: CheckedResponse, described: ResponseDescription) {
  const mediaTypes = Object.keys(described.content);
  if (mediaTypes.length === 0) return text === '' ? [] : ['a body where none is described'];
  const mediaType = headers.get('content-type')?.split(';')[0] ?? 'none';
  const schema = described.content[mediaType];
  if (schema === undefined) return [`media type ${mediaType}, not ${mediaTypes.join(' or ')}`];
  return schemaProblems(document, schema, body ?? text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
