import type { IncomingMessage } from 'node:http';
import { ProblemError } from './problem.js';

/** What a request is about, still percent-encoded. */
export interface Target {
  readonly path: string;
  /** What follows the question mark. */
  readonly query: string;
}

/** Reads the URL of a request. Errors: 400, 414. */
export function readTarget({ url = '' }: IncomingMessage, longest: number): Target {
  if (url.length > longest) {
    throw new ProblemError(414, `The URL is longer than ${longest} characters.`);
  }
  if (!url.startsWith('/')) throw new ProblemError(400, 'The URL does not begin with a slash.');
  const [whole = ''] = url.split('#', 1);
  const mark = whole.indexOf('?');
  const path = mark === -1 ? whole : whole.slice(0, mark);
  const query = mark === -1 ? '' : whole.slice(mark + 1);
  if (decode(path).includes('\0')) throw new ProblemError(400, 'The path has a NUL character.');
  decode(query);
  return { path, query };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ProblemError(400, 'The URL is not percent-encoded UTF-8.');
  }
}
