import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { AssayError } from '../../errors.js';
import { exitCode } from '../../model/exit-code.js';
import { isObject } from '../../model/json.js';
import { packageRoot } from '../../package-root.js';
import {
  type AccessOptions,
  checkAccess,
  type RunningServer,
  type ServerOptions,
  startServer,
} from '../../server/start-server.js';
import { loadSettings } from '../../settings/load-settings.js';
import type { Settings } from '../../settings/settings.js';
import { findRunFolder } from '../../store/folders.js';
import { locateRun } from '../../store/listing/resolve-reference.js';
import { openStore, type Store } from '../../store/store.js';
import { countOf } from '../../text/count-text.js';
import type { RedisExecutors } from '../../workers/open-redis-executors.js';
import { askedOf } from '../selection-flags.js';
import { endingSignals } from '../signals.js';
import { coloursFor } from '../terminal/colour.js';
import { withoutSecrets } from '../terminal/screen-text.js';
import { escapeLines, escapeTerminal } from '../terminal/terminal-text.js';
import type { ServeFlags } from './serve-flags.js';

/** Arguments of `assay serve`. */
export interface ServeCommandOptions {
  readonly paths: readonly string[];
  readonly flags: ServeFlags;
  readonly settings: Settings;
  /** The environment without the variables of the `.env` file. */
  readonly env: NodeJS.ProcessEnv;
  readonly addedEnv: { readonly [name: string]: string };
  readonly json: boolean;
  /** Path of the page to open. Default: the dashboard. */
  readonly page?: string;
}

/** A running server, and its generated token. */
interface Serving extends RunningServer {
  readonly token?: string;
}

/** Runs `assay serve`: serves until a signal arrives, and returns the exit code for it. */
export async function serveCommand(options: ServeCommandOptions): Promise<number> {
  // A server keeps long runs in memory for hours, so collect garbage more often to keep the heap smaller.
  setFlagsFromString('--heap-growing-percent=30');
  const signals = endingSignals();
  const server = await Promise.race([start(options), signals.first]);
  if (typeof server === 'string') return exitCode({ signal: server, gates: [] });
  try {
    await welcome(server, options);
    const signal = await signals.first;
    const saved = server.workspace.slot.isBusy ? '; finished results are saved' : '';
    note(`Stopping${saved}. Ctrl-C again ends it at once.`);
    void signals.second.then((second) => process.exit(exitCode({ signal: second, gates: [] })));
    return exitCode({ signal, gates: [] });
  } finally {
    await server.close();
  }
}

async function welcome(serving: Serving, options: ServeCommandOptions): Promise<void> {
  const { flags, json, page } = options;
  const isSignIn = serving.link !== serving.url;
  // A link that signs in leads to the dashboard, because its address must not stay in the history.
  const server = isSignIn ? serving : { ...serving, link: `${serving.url}${page ?? ''}` };
  announce(server, json);
  if (isSignIn && page !== undefined) note(`Then open ${server.url}${page}`);
  if (flags.open ?? !json) await openBrowser(server.link, { isWanted: flags.open === true });
  if (!flags.start) return;
  try {
    await server.operations.rerun({});
  } catch (error) {
    // The page shows it too, and the user can run the fixed file from there.
    if (!(error instanceof AssayError)) throw error;
    note(error.inOneLine);
  }
}

async function start(options: ServeCommandOptions): Promise<Serving> {
  const { flags, paths, env, addedEnv } = options;
  const cwd = process.cwd();
  checkPaths(paths, cwd);
  const access = accessOf(flags);
  checkAccess(access);
  const saved = flags.run ?? paths.find((path) => isSavedRun(path, cwd));
  const first = saved === undefined ? {} : await findSaved(options, saved);
  if (first.note !== undefined) note(first.note);
  const executors = await openExecutors(options.settings);
  const server = await startWith(executors, {
    cwd,
    env,
    addedEnv,
    request: {
      paths: paths.filter((path) => !isSavedRun(path, cwd)),
      ignore: [],
      ...askedOf(flags),
    },
    sessionName: flags.session ?? 'default',
    ...(flags['run-name'] === undefined ? {} : { runName: flags['run-name'] }),
    ...(flags['run-config'] === undefined ? {} : { configName: flags['run-config'] }),
    ...first,
    readSettings: () =>
      loadSettings({
        cwd,
        env: process.env,
        file: flags.settings,
        flags: { results_dir: flags['results-dir'], redis: flags.redis },
      }),
    onWarning: note,
    watches: true,
    ...access,
    ui: fileURLToPath(new URL('dist/ui', packageRoot)),
    onBug: reportBug,
  });
  const close = async () => {
    await server.close();
    await executors?.close();
  };
  const isGenerated = flags.token === 'auto' && access.token !== undefined;
  return { ...server, close, ...(isGenerated && { token: access.token }) };
}

/** Starts the server; lets go of Redis if that fails. */
async function startWith(
  executors: RedisExecutors | undefined,
  options: ServerOptions,
): Promise<RunningServer> {
  try {
    return await startServer({
      ...options,
      ...(executors && {
        makeExecutor: executors.makeExecutor,
        redis: await executors.connect(),
      }),
    });
  } catch (error) {
    await executors?.close();
    throw error;
  }
}

/** The workers of a queue, where the settings name one. */
async function openExecutors(settings: Settings): Promise<RedisExecutors | undefined> {
  const url = settings.effective('redis').value;
  if (url === null) return undefined;
  const { openRedisExecutors } = await import('../../workers/open-redis-executors.js');
  return openRedisExecutors(url, process.cwd(), note);
}

async function findSaved(
  { settings, flags }: ServeCommandOptions,
  reference: string,
): Promise<ServedRun> {
  const store = await openStore(settings.effective('results_dir').value);
  return servedRun(store, reference, { cwd: process.cwd(), session: flags.session });
}

/** Prints the address on stdout, where scripts wait for it; with a token, as a link that works once. */
function announce({ url, link, token, workspace }: Serving, json: boolean): void {
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ url, link, ...(token === undefined ? {} : { token }), run_id: workspace.activeId })}\n`,
    );
    return;
  }
  const run = workspace.openRuns().find((one) => one.runId === workspace.activeId);
  const { problem } = workspace.lastDiscovery;
  if (problem !== undefined) note(problem.message);
  const { bold, dim } = coloursFor('stdout');
  const what =
    run === undefined
      ? ''
      : `${countOf(run.rows.length, 'result')} · run ${run.header.run_name} · session ${run.header.session_name}`;
  process.stdout.write(`${bold(link)}  ${dim(escapeTerminal(what))}\n`);
  // Scripts need to know a generated token.
  if (token !== undefined) process.stderr.write(`The link works once. Token: ${token}\n`);
  process.stderr.write(`${coloursFor('stderr').dim('Ctrl-C stops it.')}\n`);
}

function accessOf(flags: ServeFlags): AccessOptions {
  return {
    // `localhost` may resolve to another address.
    host: flags.host === 'localhost' ? '127.0.0.1' : flags.host,
    port: flags.port,
    token: tokenOf(flags.token),
    allowedHosts: flags['allowed-host'] ?? [],
  };
}

/** The user's token, or a generated one. */
function tokenOf(given: string | undefined): string | undefined {
  return given === 'auto' ? randomBytes(24).toString('base64url') : given;
}

/** Prints the stack of a bug. */
function reportBug(error: unknown, where: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `✗ ${escapeTerminal(withoutSecrets(where))}\n${escapeLines(withoutSecrets(text)).join('\n')}\n`,
  );
}

function note(text: string): void {
  const lines = escapeLines(withoutSecrets(text)).join('\n  ');
  process.stderr.write(`${coloursFor('stderr').yellow('!')} ${lines}\n`);
}

/**
 * Opens an address in the browser if there is a screen; `isWanted` tries in any case. Failures are ignored, because
 * the address has been printed.
 */
async function openBrowser(
  url: string,
  { isWanted }: { readonly isWanted: boolean },
): Promise<void> {
  if (!isWanted && !hasScreen()) return;
  const { default: open } = await import('open');
  const child = await open(url).catch(() => undefined);
  child?.on('error', () => undefined);
}

function hasScreen(): boolean {
  const { CI, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION, WSL_DISTRO_NAME } = process.env;
  if (!process.stdout.isTTY || CI || SSH_CONNECTION) return false;
  if (process.platform !== 'linux' || WSL_DISTRO_NAME) return true;
  return Boolean(DISPLAY || WAYLAND_DISPLAY);
}

/** True for a path that `serve` opens as a saved run instead of searching it for evals. */
function isSavedRun(path: string, cwd: string): boolean {
  const full = resolve(cwd, path);
  const stats = statSync(full, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return hasLog(full);
  if (stats?.isFile() !== true) return false;
  return /\.json$/i.test(full) || (basename(full) === 'results.jsonl' && hasLog(dirname(full)));
}

/** True for a run folder. An exported run named run.json does not make a folder one. */
function hasLog(folder: string): boolean {
  return existsSync(join(folder, 'results.jsonl'));
}

/** A saved run to serve: from the results directory, or a run folder elsewhere. */
interface ServedRun {
  readonly runId?: string;
  /** Absolute path of the run folder. */
  readonly runFolder?: string;
  /** A remark for the user. */
  readonly note?: string;
}

/**
 * Opens the run for a reference; imports an exported run JSON into the results directory, unless it is there
 * already. Errors: those of finding and importing the run.
 */
async function servedRun(
  store: Store,
  reference: string,
  options: { readonly cwd: string; readonly session?: string | undefined },
): Promise<ServedRun> {
  const [base] = (await store.findGroup(reference, options)) ?? [];
  const found = await locateRun(store, base ?? reference, options);
  switch (found.kind) {
    case 'stored':
      return { runId: found.runId };
    case 'folder':
      return { runFolder: found.folder };
    case 'exported': {
      const { document } = found;
      const id = isObject(document) ? document.run_id : undefined;
      if (typeof id === 'string' && findRunFolder(store.root, id) !== undefined) {
        const note = `${reference} is saved as ${id} already: this is the saved run.`;
        return { runId: id, note };
      }
      const { run_id, session_name } = await store.importRun(document);
      return {
        runId: run_id,
        note: `${reference} is saved as ${run_id} in session ${session_name}.`,
      };
    }
  }
}

/** Error: `usage` when saved runs and evals are mixed. */
function checkPaths(paths: readonly string[], cwd: string): void {
  const saved = paths.find((path) => isSavedRun(path, cwd));
  if (saved === undefined || paths.length === 1) return;
  throw new AssayError('usage', `${saved} is a saved run: it is served alone.`, {
    hints: ['Name one saved run, or only evals.'],
  });
}
