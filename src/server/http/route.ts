import type { z } from 'zod';
import { pages } from './ui-files.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The argument of a handler: completely parsed and validated. */
interface RouteRequest<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The header `If-Match`, for routes that use it. */
  readonly ifMatch: string | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Registers a function to call when the answer has been sent or cancelled. */
  readonly onEnd: (act: () => void) => void;
}

/** Describes a success in the OpenAPI document. */
export interface AnswerDescription {
  readonly description: string;
  /** The schema of the body; absent for media other than JSON. */
  readonly schema?: z.ZodType;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** Headers in addition to those of every answer. */
  readonly headers?: readonly ('Content-Disposition' | 'ETag')[];
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** One operation of the API: path, parameters, answer and handler. */
export interface RouteDefinition<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
> {
  readonly method: Method;
  /** An OpenAPI path: `/api/runs/{run_id}/data`. */
  readonly path: string;
  /** Unique name of the operation: `getRunData`. */
  readonly operation: string;
  /** Group in the documentation. */
  readonly tag: string;
  /** One plain sentence. */
  readonly summary: string;
  readonly description?: string;
  /** Path parameters. Values that do not match result in 404. */
  readonly params?: P;
  /** Query parameters; each may occur several times and is an array of strings before parsing. */
  readonly query?: Q;
  /** The JSON body; an empty one is `{}`. A route without `body` ignores it. */
  readonly body?: B;
  /** True if the route uses the header `If-Match`: 412 when something has changed since. */
  readonly knowsIfMatch?: boolean;
  /** Bytes. Default 1 MiB. */
  readonly maxBody?: number;
  readonly answer: AnswerDescription;
  /** Statuses of problem documents in addition to those of every route. */
  readonly problems?: readonly number[];
  readonly handle: (
    request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<B>>,
  ) => Answer | Promise<Answer>;
}

/** A route of any type, for the router and the documentation. */
export type Route = RouteDefinition<
  z.ZodType | undefined,
  z.ZodType | undefined,
  z.ZodType | undefined
>;

/** Checks that a handler matches its schemas, and erases their types. */
export function defineRoute<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(definition: RouteDefinition<P, Q, B>): Route {
  // The router parses everything with the schemas of this definition.
  return definition as unknown as Route;
}

/** The result of a handler, which the router sends. */
export type Answer = JsonAnswer | TextAnswer | EventsAnswer;

export interface JsonAnswer {
  readonly kind: 'json';
  readonly body: unknown;
  /** Changes whenever the body changes; reads of runs have one. */
  readonly version?: string;
  /** The part of the ETag that `If-Match` is compared with; it changes when editable data changes. */
  readonly revision?: string;
}

/** A document that is sent in pieces, as fast as the client reads them. */
export interface TextAnswer {
  readonly kind: 'text';
  readonly contentType: string;
  readonly pieces: AsyncIterable<string>;
  /** The suggested file name of a download. */
  readonly fileName?: string;
  /** What the document lacks, as a sentence. */
  readonly leftOut?: string | undefined;
  readonly version?: string;
}

/** Server-sent events until either side closes the stream. */
export interface EventsAnswer {
  readonly kind: 'events';
  /**
   * Starts sending and returns a function that stops it. `send` expects complete event blocks, including `data:`
   * lines.
   */
  readonly subscribe: (send: (block: string) => void) => () => void;
}

/** Creates a JSON answer. */
export function json(body: unknown, version?: string, revision?: string): JsonAnswer {
  return {
    kind: 'json',
    body,
    ...(version === undefined ? {} : { version }),
    ...(revision === undefined ? {} : { revision }),
  };
}

/** A route and its paths. */
export interface MountedRoute {
  readonly route: Route;
  /** Matches whole paths, still percent-encoded; the groups are the parameters. */
  readonly pattern: RegExp;
}

/** All routes of a server. */
export interface RouteTable {
  /** Literal paths precede paths with parameters, in any order of definition. */
  readonly mounted: readonly MountedRoute[];
  /** True for a path of the API, existing or not. */
  isApi(path: string): boolean;
  /** The methods of a path, sorted; empty for an unknown path. */
  methodsOf(path: string): readonly string[];
}

/** Prepares routes for matching. */
export function routeTable(routes: readonly Route[]): RouteTable {
  const mounted = routes
    .map((route) => ({ route, pattern: pathPattern(route.path, routes) }))
    .sort((a, b) => parameterCount(a.route) - parameterCount(b.route));
  const at = (path: string) => mounted.filter(({ pattern }) => pattern.test(path));
  return {
    mounted,
    isApi: (path) => /^\/api(?:\/|$)/.test(path) || at(path).length > 0,
    methodsOf: (path) => {
      const methods = new Set<Method | 'HEAD'>(at(path).map(({ route }) => route.method));
      if (pages.some((page) => page.test(path))) methods.add('GET');
      if (methods.has('GET')) methods.add('HEAD');
      return [...methods].sort();
    },
  };
}

/**
 * The regular expression for an OpenAPI path; a parameter is one whole segment. A segment that is literal in
 * another route does not match a parameter, whatever the method.
 */
function pathPattern(path: string, routes: readonly Route[]): RegExp {
  const written = routes
    .filter((route) => parameterCount(route) < path.split('{').length)
    .map((route) => `(?!${pathSource(route.path, () => '[^/]+')}$)`);
  const source = pathSource(path, (name) => `(?<${name}>[^/]+)`);
  return new RegExp(`^${[...new Set(written)].join('')}${source}$`);
}

function pathSource(path: string, parameter: (name: string) => string): string {
  return path
    .split(/\{(\w+)\}/)
    .map((part, at) =>
      at % 2 === 1 ? parameter(part) : part.replaceAll(/[.*+?^$()[\]|\\]/g, '\\$&'),
    )
    .join('');
}

function parameterCount({ path }: Route): number {
  return path.split('{').length;
}
