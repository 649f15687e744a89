import type { z } from 'zod';
import type { Answer } from './answer.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler gets: everything parsed, nothing to check again. */
export interface RouteRequest<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The header `If-Match` of a route that knows it. */
  readonly ifMatch: string | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Takes what is to be done when the answer has been sent, or is not wanted any more. */
  readonly onEnd: (act: () => void) => void;
}

/** How a success is described in the OpenAPI document. */
export interface AnswerDescription {
  readonly description: string;
  /** The body; absent for media that are not JSON. */
  readonly schema?: z.ZodType;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** Headers it has beside those of every answer. */
  readonly headers?: readonly ('Content-Disposition' | 'ETag')[];
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** One operation of the API: where it is, what it takes and answers, and what it does. */
export interface RouteDefinition<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
> {
  readonly method: Method;
  /** As OpenAPI writes it: `/api/runs/{run_id}/data`. */
  readonly path: string;
  /** Name of the operation, unique: `getRunData`. */
  readonly operation: string;
  /** Group in the documentation. */
  readonly tag: string;
  /** One plain sentence. */
  readonly summary: string;
  readonly description?: string;
  /** Parameters in the path. What does not fit is a 404: there is no such thing. */
  readonly params?: P;
  /** Parameters after `?`; each may come several times and is an array of strings before it is parsed. */
  readonly query?: Q;
  /** The JSON body; an empty one is `{}`. A route without it takes no notice of a body. */
  readonly body?: B;
  /** It knows the header `If-Match`: 412 when something has changed since. */
  readonly knowsIfMatch?: boolean;
  /** Bytes. Default 1 MiB. */
  readonly maxBody?: number;
  readonly answer: AnswerDescription;
  /** Statuses of problem documents beyond those every route can answer with. */
  readonly problems?: readonly number[];
  readonly handle: (
    request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<B>>,
  ) => Answer | Promise<Answer>;
}

/** A route whatever it takes: what the router and the documentation work with. */
export type Route = RouteDefinition<
  z.ZodType | undefined,
  z.ZodType | undefined,
  z.ZodType | undefined
>;

/** Checks that a handler fits its schemas and forgets their types. */
export function defineRoute<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(definition: RouteDefinition<P, Q, B>): Route {
  // What the router hands over has been parsed with the very schemas of the definition.
  return definition as unknown as Route;
}
