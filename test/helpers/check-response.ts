import { readVersion } from '../../src/package-root.js';
import { allRoutes } from '../../src/server/api/index.js';
import { createOpenApi } from '../../src/server/openapi.js';
import type { Operations } from '../../src/server/workspace/operations.js';
import type { Workspace } from '../../src/server/workspace/workspace.js';
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

// Handlers are not called here, so what they work on is never looked at.
const document = createOpenApi(allRoutes({} as Workspace, {} as Operations), readVersion());

/** Statuses that any request can meet, described by `default`. */
const generalStatuses = [400, 401, 403, 404, 405, 408, 413, 414, 415, 431, 500, 503];

/**
 * Checks the answer to a request: its status, media type, headers and body are those that the OpenAPI document describes.
 * `path` is that of the request, with or without a query. Throws an `Error` that names everything that does not fit.
 */
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
  if (mediaType === 'text/event-stream') {
    return events(text).flatMap((event) => schemaProblems(document, schema, event));
  }
  return schemaProblems(document, schema, body ?? text);
}

/** The events of a stream, as the document describes them. */
function events(text: string): unknown[] {
  return text.split('\n\n').flatMap((block) => {
    const type = /^event: (.+)$/m.exec(block)?.[1];
    const data = /^data: (.+)$/m.exec(block)?.[1];
    return type === undefined || data === undefined ? [] : [{ type, data: parse(data) }];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
