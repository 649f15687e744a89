import type { IncomingMessage } from 'node:http';
import { ProblemError } from './problem.js';

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
