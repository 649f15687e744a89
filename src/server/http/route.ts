import type { z } from 'zod';
import type { Answer } from './answer.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
