import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';

type Serve = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** The paths of the pages of the web UI. */
export const pages: readonly RegExp[] = [
  /^\/$/,
  /^\/compare$/,
  /^\/compare\/prompts$/,
  /^\/matrix$/,
  /^\/workers$/,
  /^\/sessions\/[^/]+\/trends$/,
  /^\/runs\/[^/]+\/results\/[^/]+$/,
  /^\/runs\/[^/]+\/(?:calls|review|calibration)$/,
];

const placeholder = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>assay</title>
<h1>assay is running</h1>
<p>The web UI is not part of this installation. Everything it does can be done with the API,
which <a href="/api/openapi.json">/api/openapi.json</a> describes.</p>
</html>
`;

/** Serves the web UI. */
export interface UiFiles {
  /** Serves its start page for any path. */
  readonly page: Serve;
  /** Serves files of its folder; calls `next` for everything else. */
  readonly file: Serve;
  /** Answers 404 with its start page, which says so, to browsers that open an unknown address; else calls `next`. */
  readonly missing: Serve;
}

/** Serves the web UI, or a page that says that it is not built. */
export function uiFiles(folder: string | undefined): UiFiles {
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) {
    const none: Serve = (_request, _response, next) => next();
    return { page: sendPlaceholder, file: none, missing: none };
  }
  const files = sirv(folder, { etag: true, brotli: true, extensions: [] });
  const file: Serve = (request, response, next) => {
    // Browsers do not need ranges of these files, and invalid ranges throw.
    delete request.headers.range;
    response.setHeader('Cache-Control', cacheControl(request.url ?? ''));
    // Without a listener, a file that was deleted since the start would crash the process.
    response.once('pipe', (source) => source.once('error', () => response.destroy()));
    files(request, response, next);
  };
  const page: Serve = (request, response, next) => {
    request.url = '/index.html';
    file(request, response, next);
  };
  const missing: Serve = (request, response, next) => {
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) {
      next();
      return;
    }
    const start = readFileSync(join(folder, 'index.html'));
    response.writeHead(404, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': start.length,
      'Cache-Control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : start);
  };
  return { page, file, missing };
}

/** Names below `assets` contain a hash of the content. */
function cacheControl(url: string): string {
  return /^\/assets\/[^?]+-[\w-]{8,}\.\w+(?:\?|$)/.test(url)
    ? 'public, max-age=31536000, immutable'
    : 'no-cache';
}

function sendPlaceholder(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(placeholder));
  response.end(placeholder);
}
