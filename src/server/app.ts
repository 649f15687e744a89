import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import polka, { type Request as PolkaRequest } from 'polka';
import { createAccessCheck } from './http/access-check.js';
import { AccessToken, linkSecret, signIn } from './http/access-token.js';
import { EventStreams } from './http/event-streams.js';
import type { OwnNames } from './http/host-names.js';
import { defaultLimits, type Limits } from './http/limits.js';
import { bugRefusal, cleanProblem, ProblemError, refusalOf } from './http/problem.js';
import { ClientGone } from './http/read-body.js';
import { callRoute, originForm, readTarget } from './http/read-request.js';
import { type Route, type RouteTable, routeTable } from './http/route.js';
import { securityHeaders, send, sendProblem } from './http/send.js';
import { pages, type UiFiles, uiFiles } from './http/ui-files.js';
import { setValidationMessages } from './http/validation.js';

/** Dependencies of a server. */
export interface AppOptions {
  readonly routes: readonly Route[];
  /** Accepted host names: `ownNames(host, allowedHosts)`. */
  readonly names: OwnNames;
  /** Absent: everybody who can connect may talk. */
  readonly token?: string;
  /** Folder of the built web UI. */
  readonly ui?: string;
  /** Called with unexpected errors, which are bugs; `where`: `GET /results`. */
  readonly onBug: (error: unknown, where: string) => void;
  /** Removes secrets from error messages. Default: nothing is secret. */
  readonly redact?: (text: string) => string;
  readonly limits?: Partial<Limits>;
}

/** Answers requests; never listens. */
export interface App {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  readonly hasToken: boolean;
  /** Makes a link that signs one browser in: a path that works once. `/` when there is no token. */
  makeLink(): string;
  readonly onBug: AppOptions['onBug'];
  /** Ends the event streams. */
  close(): void;
}

type Handler = App['handler'];

/** Answers a request that is refused, or that went wrong. */
type Refuse = (error: unknown, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Composes access check, router and web UI. Error: `usage` for a token that cannot be sent. */
export function createApp(options: AppOptions): App {
  setValidationMessages();
  const limits = { ...defaultLimits, ...options.limits };
  const token = options.token === undefined ? undefined : new AccessToken(options.token);
  const table = routeTable(options.routes);
  const streams = new EventStreams(limits);
  const checkAccess = createAccessCheck({ names: options.names, isApi: table.isApi });
  const refuse = createRefuse(options, limits);
  const route = createRouter(table, uiFiles(options.ui), streams, refuse, limits);

  const enter: Handler = (request, response) => {
    const target = readTarget(request, limits.url);
    const secret = token === undefined ? undefined : linkSecret(request, target);
    checkAccess(request, target, secret === undefined ? token : undefined);
    if (target.authority !== undefined) request.url = originForm(target);
    if (token !== undefined && secret !== undefined) signIn(response, token, secret);
    else route(request, response);
  };
  return {
    handler: (request, response) => {
      // A client that is gone is no error.
      response.on('error', () => {});
      for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
      compress(request, response, () => {
        try {
          enter(request, response);
        } catch (error) {
          void refuse(error, request, response);
        }
      });
    },
    hasToken: token !== undefined,
    makeLink: () => token?.makeLink() ?? '/',
    onBug: options.onBug,
    close: () => streams.close(),
  };
}

function createRefuse(
  { onBug, redact = (text) => text }: Pick<AppOptions, 'onBug' | 'redact'>,
  limits: Limits,
): Refuse {
  return async (error, request, response) => {
    if (error instanceof ClientGone || response.destroyed) return;
    const refusal = refusalOf(error);
    if (refusal === undefined) onBug(error, `${request.method} ${request.url}`);
    if (response.headersSent) response.destroy();
    else await sendProblem(response, cleanProblem(refusal ?? bugRefusal(), redact), limits.linger);
  };
}

function createRouter(
  table: RouteTable,
  ui: UiFiles,
  streams: EventStreams,
  refuse: Refuse,
  limits: Limits,
): Handler {
  const onNoMatch: Handler = (request, response) => {
    const { path } = readTarget(request, limits.url);
    const methods = table.methodsOf(path);
    if (methods.length > 0) throw wrongMethod(request, methods);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw nothingAt(path);
    ui.file(request, response, () => {
      if (table.isApi(path)) throw nothingAt(path);
      ui.missing(request, response, () => {
        throw nothingAt(path);
      });
    });
  };
  const router = polka({ onError: refuse, onNoMatch });
  for (const mounted of table.mounted) {
    router.add(mounted.route.method, mounted.pattern, async (request, response) => {
      const ends: (() => void)[] = [];
      const onEnd = (act: () => void) => ends.push(act);
      try {
        const target = readTarget(request, limits.url);
        const answer = await callRoute(mounted, target, request, response, limits, onEnd);
        await send(response, answer, streams);
      } catch (error) {
        // Not left to polka, which goes on to the next handler when `undefined` is thrown.
        await refuse(error, request, response);
      } finally {
        for (const end of ends) end();
      }
    });
  }
  for (const page of pages) router.get(page, ui.page);
  return (request, response) => {
    // Polka makes of the plain request what its types want, and without `next` goes from handler to handler itself.
    router.handler(request as PolkaRequest, response, undefined as never);
  };
}

function wrongMethod({ method }: IncomingMessage, known: readonly string[]): ProblemError {
  const allow = known.join(', ');
  return new ProblemError(405, `There is no ${method} here, only ${allow}.`, {
    headers: { Allow: allow },
  });
}

function nothingAt(path: string): ProblemError {
  return new ProblemError(404, `There is nothing at ${path}.`);
}

/** Compresses answers over 1 KiB for clients that accept it, except event streams. */
const compress = compression({
  threshold: 1024,
  filter: (request, response) =>
    response.getHeader('Content-Type') !== 'text/event-stream' &&
    compression.filter(request, response),
  // The types expect Express, which is not used.
}) as unknown as (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
