import type { IncomingMessage, ServerResponse } from 'node:http';
import { ZodObject, ZodPipe, z } from 'zod';
import type { Limits } from './limits.js';
import { ProblemError } from './problem.js';
import { hasBody, readBody } from './read-body.js';
import type { Answer, MountedRoute, Route } from './route.js';
import { invalidBody, invalidQuery } from './validation.js';

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
export function parseParams({ params }: Route, pattern: RegExp, path: string): unknown {
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

const noParameters = z.strictObject({});

/** Error: 400, also for a parameter that the route does not have: what it asks for would not be done. */
export function parseQuery({ query = noParameters }: Route, text: string): unknown {
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

/** The target of a request, still percent-encoded. */
export interface Target {
  readonly path: string;
  /** The part after the question mark. */
  readonly query: string;
  /** Host and port of a URL in absolute form, as sent by proxies; overrides the Host header. */
  readonly authority?: string;
}

/** Parses the URL of a request. Errors: 400, 414. */
export function readTarget({ url = '' }: IncomingMessage, longest: number): Target {
  if (url.length > longest) {
    throw new ProblemError(414, `The URL is longer than ${longest} characters.`);
  }
  const [, authority, rest = url] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const [whole = ''] = withSlash(rest, authority).split('#', 1);
  const mark = whole.indexOf('?');
  const path = mark === -1 ? whole : whole.slice(0, mark);
  const query = mark === -1 ? '' : whole.slice(mark + 1);
  if (decode(path).includes('\0')) throw new ProblemError(400, 'The path has a NUL character.');
  decode(query);
  return { path, query, ...(authority === undefined ? {} : { authority }) };
}

/** The target without the host, in the form that a router expects. */
export function originForm({ path, query }: Target): string {
  return query === '' ? path : `${path}?${query}`;
}

function withSlash(rest: string, authority: string | undefined): string {
  if (rest.startsWith('/')) return rest;
  if (authority !== undefined) return `/${rest}`;
  throw new ProblemError(400, 'The URL does not begin with a slash.');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ProblemError(400, 'The URL is not percent-encoded UTF-8.');
  }
}
