import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type App, type AppOptions, createApp } from '../../../src/server/app.js';
import { ownNames } from '../../../src/server/http/host-names.js';
import { defineRoute, json, type Route } from '../../../src/server/http/route.js';
import { type Listening, type ListenOptions, listen } from '../../../src/server/listen.js';
import { afterEachTest } from '../../helpers/clean-up.js';

/** A server on a free port, closed after the test. */
export interface RunningServer extends Listening {
  readonly app: App;
  /** What it called a bug. */
  readonly bugs: unknown[];
}

const toClose: (() => Promise<void> | void)[] = [];

afterEachTest(async () => {
  for (const close of toClose.splice(0)) await close();
});

/** Starts a server of these routes. */
export async function startServer(
  routes: readonly Route[],
  options: Partial<AppOptions> = {},
  listening: ListenOptions = {},
): Promise<RunningServer> {
  const bugs: unknown[] = [];
  const app = createApp({
    routes,
    names: ownNames('127.0.0.1'),
    onBug: (error) => bugs.push(error),
    ...options,
  });
  const deadlines = { close: 500, ...listening.deadlines };
  const server = await listen(app, { port: 0, ...listening, deadlines });
  toClose.push(() => server.close());
  return { ...server, app, bugs };
}

/** Sends a GET on a connection of its own: on a busy machine, a server may end a kept one just as a request is sent. */
export function askServer(
  { url }: Listening,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}${path}`, { headers: { connection: 'close', ...headers } });
}

/** A temporary folder with these files, removed after the test. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-server-'));
  toClose.push(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

type Handle = Route['handle'];

/** A route that answers as it is told. */
export function getRoute(path: string, handle: Handle): Route {
  return { ...describe('GET', path), handle };
}

/** A route that answers with the body it was sent. */
export function echoRoute(path: string, maxBody?: number): Route {
  return defineRoute({
    ...describe('POST', path),
    body: z.unknown(),
    ...(maxBody === undefined ? {} : { maxBody }),
    handle: ({ body }) => json({ body }),
  });
}

/** A route without body that counts how often it was called. */
export function countingRoute(path: string): {
  readonly route: Route;
  readonly count: () => number;
} {
  let count = 0;
  const handle: Handle = () => {
    count++;
    return json({ ok: true });
  };
  return { route: { ...describe('POST', path), handle }, count: () => count };
}

function describe<M extends 'GET' | 'POST'>(method: M, path: string) {
  return {
    method,
    path,
    operation: `${method}${path}`,
    tag: 'test',
    summary: 'A route of a test.',
    answer: { description: 'What the test wants.' },
  };
}
