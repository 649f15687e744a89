import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { AssayError } from '../../errors.js';
import { exitCode } from '../../model/exit-code.js';
import { prestartHost } from '../../runner/local/spawn-host.js';
import type { Settings } from '../../settings/settings.js';
import { countOf } from '../../text/count-text.js';
import { redactCredentials } from '../../text/credentials.js';
import { createRedactor } from '../../text/redact.js';
import { openProjectRedis } from '../../workers/open-redis-executors.js';
import { takeName } from '../../workers/presence.js';
import { QueueWorker, type WorkerEvent } from '../../workers/queue-worker.js';
import { answered } from '../../workers/redis-problem.js';
import type { RedisServer } from '../../workers/redis-server.js';
import { redisUrl } from '../flags.js';
import { endingSignals } from '../signals.js';
import { coloursFor } from '../terminal/colour.js';
import { LiveLine } from '../terminal/live-line.js';
import { forStdout } from '../terminal/screen-text.js';
import { escapeTerminal } from '../terminal/terminal-text.js';

/** Arguments of `assay worker`. */
export interface WorkerCommandOptions {
  readonly settings: Settings;
  readonly addedEnv: { readonly [name: string]: string };
  readonly name?: string | undefined;
  readonly offers: readonly string[];
  readonly workers: number;
  readonly lockSeconds: number;
  readonly json: boolean;
}

/** Milliseconds from the end of a run until the process for the next one starts. */
const prestartAfterMs = 300;

/** Runs `assay worker` until a signal arrives: the first lets evaluations finish, the second ends them. */
export async function workerCommand(options: WorkerCommandOptions): Promise<number> {
  const url = redisUrl(options.settings);
  const wanted = nameOf(options.name);
  const signals = endingSignals();
  const output = options.json ? new JsonOutput() : new TextOutput();
  const redis = await openProjectRedis(url, process.cwd(), {
    lost: 'The connection to Redis is lost. The worker goes on with what it has, and keeps trying.',
    full: 'Redis is full (maxmemory). The worker keeps its results, and waits until there is room.',
    onWarning: (text) => output.warn(text),
  });
  // It may wait for room in Redis.
  const begun = answered(redis.shownUrl, beginWorker(options, redis, wanted, output));
  const worker = await Promise.race([begun, signals.first]);
  if (typeof worker !== 'string') {
    await signals.first;
    void signals.second.then(() => worker.stop());
    output.ending(worker.running);
    await worker.drain();
    output.end();
  }
  await redis.close();
  return exitCode({ signal: await signals.first, gates: [] });
}

async function beginWorker(
  { settings, addedEnv, offers, workers, lockSeconds }: WorkerCommandOptions,
  redis: RedisServer,
  wanted: string,
  output: WorkerOutput,
): Promise<QueueWorker> {
  const cwd = process.cwd();
  const { redact: redactSecrets } = createRedactor(process.env, existsSync);
  const slots = settings.effective('concurrency').value;
  const name = await redis.errors.retryWhileFull(
    () => takeName(redis, wanted),
    () => false,
  );
  if (name !== wanted) output.warn(`A worker named ${wanted} is there already; this is ${name}.`);
  const worker: QueueWorker = new QueueWorker({
    redis,
    name,
    host: hostname(),
    pid: process.pid,
    slots,
    offers,
    code: await commitOf(cwd),
    lockMs: lockSeconds * 1000,
    local: {
      cwd,
      env: process.env,
      addedEnv,
      workers,
      importTimeout: settings.effective('import_timeout').value,
      tsconfig: settings.effective('tsconfig').value ?? undefined,
      resultsDir: settings.effective('results_dir').value,
      recordingsDir: settings.effective('recordings_dir').value,
      redact: (text) => redactCredentials(redactSecrets(text)),
      onPrint: (_, text) => output.print(text),
      onWarning: (text) => output.warn(text),
    },
    onEvent: (event) => {
      if (event.type === 'ready')
        output.begin({ name, slots, offers, redis: redis.shownUrl }, worker);
      else output.event(event);
      // The next run finds a process that has booted. Not at once: the coordinator may be on this machine, and is not done.
      if (event.type === 'left') setTimeout(prestartHost, prestartAfterMs).unref();
    },
  });
  await worker.begin();
  prestartHost();
  return worker;
}

/** Redis lists connections by name, which has no spaces. */
function nameOf(given = `${hostname()}-${process.pid}`): string {
  if (/^[!-~]{1,100}$/.test(given)) return given;
  throw new AssayError(
    'usage',
    `--name takes up to 100 letters, digits and signs without spaces, not ${JSON.stringify(given)}.`,
  );
}

/** The commit of the checkout, with `+` for changes; `undefined` outside of Git. */
async function commitOf(cwd: string): Promise<string | undefined> {
  const git = promisify(execFile);
  try {
    const { stdout } = await git('git', ['describe', '--always', '--dirty=+'], {
      cwd,
      timeout: 5_000,
    });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

function statusLine({ slots, redis }: Start, worker: QueueWorker): string {
  const { runs, running, finished } = worker;
  const what = runs.length === 0 ? 'waiting for a run' : runs.join(', ');
  return `${running} of ${countOf(slots, 'slot')} busy · ${finished} done · ${what} · ${redis}`;
}

interface Start {
  readonly name: string;
  readonly slots: number;
  readonly offers: readonly string[];
  readonly redis: string;
}

interface WorkerOutput {
  begin(start: Start, worker: QueueWorker): void;
  event(event: WorkerEvent): void;
  print(text: string): void;
  warn(text: string): void;
  ending(running: number): void;
  end(): void;
}

/** Lines for people, and on a terminal a live line below them. */
class TextOutput implements WorkerOutput {
  #line: LiveLine | undefined;

  begin(start: Start, worker: QueueWorker): void {
    const { name, slots, offers, redis } = start;
    const offered = offers.length === 0 ? '' : ` · offers ${offers.join(', ')}`;
    this.#write(`worker ${name} · ${countOf(slots, 'slot')}${offered} · ${redis}`);
    if (!process.stderr.isTTY) return;
    this.#line = new LiveLine(process.stderr, () =>
      escapeTerminal(statusLine(start, worker)).slice(0, (process.stderr.columns ?? 80) - 1),
    );
    this.#line.start();
  }

  event(event: WorkerEvent): void {
    if (event.type === 'joined') this.#write(`joins ${event.run}`);
    if (event.type === 'left') this.#write(`${event.run} has ended`);
    if (event.type === 'refused') this.warn(`refuses ${event.run}: ${event.reason}`);
  }

  print(text: string): void {
    this.#write(text.trimEnd());
  }

  warn(text: string): void {
    this.#write(`${coloursFor('stderr').yellow('!')} ${escapeTerminal(text)}`);
  }

  ending(running: number): void {
    const last =
      running === 0
        ? ''
        : `${countOf(running, 'evaluation')} will finish first; Ctrl-C again ends them.`;
    this.#write(`Stopping. ${last}`.trim());
  }

  end(): void {
    this.#line?.stop();
  }

  #write(text: string): void {
    if (this.#line === undefined) process.stderr.write(`${text}\n`);
    else this.#line.printAbove(`${text}\n`);
  }
}

/** One JSON object per line on stdout. */
class JsonOutput implements WorkerOutput {
  begin(start: Start): void {
    this.#write({ type: 'started', ...start });
  }

  event(event: WorkerEvent): void {
    if (event.type !== 'changed') this.#write(event);
  }

  print(text: string): void {
    process.stderr.write(text);
  }

  warn(text: string): void {
    this.#write({ type: 'warning', text });
  }

  ending(running: number): void {
    this.#write({ type: 'stopping', running });
  }

  end(): void {
    this.#write({ type: 'stopped' });
  }

  #write(value: object): void {
    process.stdout.write(`${forStdout(JSON.stringify(value), true)}\n`);
  }
}
