import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessToken } from './access-token.js';
import { ProblemError } from './problem.js';
import type { Target } from './read-target.js';

/** The secret of a sign-in link; `undefined` for every other request. */
export function linkSecret({ method }: IncomingMessage, target: Target): string | undefined {
  if (method !== 'GET' || target.path !== '/') return undefined;
  return new URLSearchParams(target.query).get('token') ?? undefined;
}

/** Exchanges a link for a cookie and redirects to the start page, whose address contains no secret. Error: 401. */
export function signIn(response: ServerResponse, token: AccessToken, secret: string): void {
  const port = response.req.socket.localPort ?? 0;
  const cookie = token.signIn(secret, port);
  if (cookie !== undefined) response.setHeader('Set-Cookie', cookie);
  else if (!token.isHeldBy(response.req.headers, port)) {
    throw new ProblemError(
      401,
      'This link is invalid or has already been used: each works once. Start the server again for a new one, or send the token as "Authorization: Bearer TOKEN".',
      { headers: { 'WWW-Authenticate': 'Bearer realm="assay"' } },
    );
  }
  response.statusCode = 303;
  response.setHeader('Location', '/');
  response.end();
}
