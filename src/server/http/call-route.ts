import type { IncomingMessage, ServerResponse } from 'node:http';
import { ZodObject, ZodPipe } from 'zod';
import type { Answer } from './answer.js';
import { invalidBody, invalidQuery } from './invalid-values.js';
import type { Limits } from './limits.js';
import { ProblemError } from './problem.js';
import { hasBody, readBody } from './read-body.js';
import type { Target } from './read-target.js';
import type { Route } from './route.js';
import type { MountedRoute } from './route-table.js';

/** Parses a request and calls the handler of its route. Errors: 400, 404, 413, and those of the handler. */
export async function callRoute(
  { route, pattern }: MountedRoute,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  limits: Limits,
  onEnd: (act: () => void) => void,
): Promise<Answer> {
  const params = parseParams(route, pattern, target.path);
  const query = parseQuery(route, target.query);
  const body = await parseBody(route, request, response, limits);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return route.handle({
    params,
    query,
    body,
    ifMatch: route.knowsIfMatch === true ? request.headers['if-match'] : undefined,
    signal: gone.signal,
    onEnd,
    // The types are checked where the route is defined.
  } as Parameters<Route['handle']>[0]);
}

// Decoded after matching: %2F is part of a name, not a separator.
function parseParams({ params }: Route, pattern: RegExp, path: string): unknown {
  if (params === undefined) return undefined;
  const groups = Object.entries(pattern.exec(path)?.groups ?? {});
  const parsed = params.safeParse(
    Object.fromEntries(groups.map(([name, text]) => [name, decodeURIComponent(text)])),
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProblemError(
    404,
    `There is nothing at ${path}: ${issue?.path.join('.')} ${issue?.message}.`,
  );
}

function parseQuery({ query }: Route, text: string): unknown {
  if (query === undefined) return undefined;
  const values = new URLSearchParams(text);
  const parsed = query.safeParse(
    Object.fromEntries([...values.keys()].map((name) => [name, values.getAll(name)])),
  );
  if (parsed.success) return parsed.data;
  throw invalidQuery(parsed.error, keysOf(query));
}

/** The keys of an object, also of one that is changed after it was checked. */
function keysOf(schema: unknown): string[] {
  if (schema instanceof ZodPipe) return keysOf(schema.in);
  return schema instanceof ZodObject ? Object.keys(schema.shape) : [];
}

async function parseBody(
  { body, maxBody }: Route,
  request: IncomingMessage,
  response: ServerResponse,
  limits: Limits,
): Promise<unknown> {
  const size = maxBody ?? limits.body;
  // A body that the route ignores must still be valid.
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (body === undefined && (isRead || !hasBody(request))) return undefined;
  const given = await readBody(request, response, { size, depth: limits.depth });
  if (body === undefined) return undefined;
  const parsed = body.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidBody(parsed.error, keysOf(body));
}
