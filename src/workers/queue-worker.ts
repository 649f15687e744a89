import type { Worker as BullWorker } from 'bullmq';
import type { Redis } from 'ioredis';
import { readVersion } from '../package-root.js';
import { differenceFrom } from './checkout-hashes.js';
import { JoinedRun, type JoinedRunOptions } from './joined-run.js';
import { isSameMajor } from './machine.js';
import type { ToCoordinators } from './messages.js';
import { parseToWorkers } from './messages.js';
import { namedRunning, removeReport, saveReport, type WorkerReport } from './presence.js';
import { resolvesWithin } from './redis-problem.js';
import { namesOf, type RedisServer } from './redis-server.js';
import { readRun, readRuns } from './run-list.js';
import { type RunManifest, silentMs, wireVersion } from './run-manifest.js';
import { beginImport, type WorkerOptions } from './worker-executor.js';

export type WorkerEvent =
  /** It is in the list of workers, and hears of runs. */
  | { readonly type: 'ready' }
  | { readonly type: 'joined'; readonly run: string }
  | { readonly type: 'refused'; readonly run: string; readonly reason: string }
  | { readonly type: 'left'; readonly run: string }
  /** Numbers of tasks have changed. */
  | { readonly type: 'changed' };

export interface QueueWorkerOptions
  extends Pick<WorkerReport, 'name' | 'host' | 'pid' | 'slots' | 'offers' | 'code'>,
    Pick<JoinedRunOptions, 'redis' | 'lockMs'> {
  readonly local: Omit<WorkerOptions, 'slots'>;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Milliseconds between looks at the list of runs, for messages that were missed. */
const lookEveryMs = 5_000;
/** Milliseconds to wait at the end for a server that is away. */
const awayMs = 3_000;
/** Milliseconds in which changes are reported together. */
const reportMs = 500;

/** A run of the project. */
interface KnownRun {
  readonly name: string;
  readonly execution: string;
  /** When its coordinator published it last, by its own clock. */
  publishedAt: string;
  /** When that changed last; `performance.now()`. */
  heardAt: number;
  /** Absent while the run is checked, and if it is refused. */
  joined?: JoinedRun | undefined;
  /** Why it cannot be run here. */
  refusal?: string;
}

/** A worker: takes part in the runs of the project, as many evaluations at a time as it has slots. */
export class QueueWorker {
  readonly #options: QueueWorkerOptions;
  readonly #redis: RedisServer;
  readonly #names: ReturnType<typeof namesOf>;
  readonly #runs = new Map<string, KnownRun>();
  readonly #since = new Date().toISOString();
  #subscriber: Redis | undefined;
  #presence: BullWorker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reportTimer: NodeJS.Timeout | undefined;
  #isClosing = false;
  #isGone = false;
  #finished = 0;

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
    this.#redis = options.redis;
    this.#names = namesOf(options.redis);
  }

  /** Evaluations that run now. */
  get running(): number {
    return this.#joined.reduce((sum, { running }) => sum + running.length, 0);
  }

  /** Evaluations that have finished since the start. */
  get finished(): number {
    return this.#joined.reduce((sum, { finished }) => sum + finished, this.#finished);
  }

  /** Names of the runs that it takes part in. */
  get runs(): readonly string[] {
    return [...this.#runs.values()].filter(({ joined }) => joined).map(({ name }) => name);
  }

  async begin(): Promise<void> {
    const { bullmq, client, prefix } = this.#redis;
    const { name, lockMs } = this.#options;
    this.#presence = new bullmq.Worker(this.#names.presence, () => Promise.resolve(), {
      connection: client,
      prefix,
      name,
      lockDuration: lockMs,
      runRetryDelay: 1_000,
      skipVersionCheck: true,
      skipStalledCheck: true,
    });
    this.#presence.on('error', (error) => this.#redis.errors.report(error));
    this.#subscriber = this.#redis.subscriber();
    this.#subscriber.on('message', (_, text) => {
      this.#receive(text).catch(() => undefined);
    });
    const { errors } = this.#redis;
    const isOver = () => this.#isClosing;
    await errors.retryWhileFull(() => this.#report(), isOver);
    await this.#subscriber.subscribe(this.#names.toWorkers);
    this.#options.onEvent({ type: 'ready' });
    await errors.retryWhileFull(() => this.#look(), isOver);
    this.#timer = setInterval(() => {
      this.#look().then(
        () => errors.clear(),
        (error: unknown) => errors.report(error),
      );
    }, lookEveryMs);
  }

  /** Finishes what runs and takes nothing else. A run that ends meanwhile ends here, too, even if that is not heard. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(
      [...this.#runs].map(async ([run, { joined }]) => {
        await joined?.close();
        if (joined !== undefined) this.#say({ type: 'left', run, worker: this.#options.name });
      }),
    );
    this.#isGone = true;
    clearInterval(this.#timer);
    clearTimeout(this.#reportTimer);
    const leave = removeReport(this.#redis, this.#options.name).then(() => this.#presence?.close());
    await resolvesWithin(awayMs, leave).catch(() => undefined);
    this.#subscriber?.disconnect();
  }

  /** Aborts what runs; other workers take it. */
  async stop(): Promise<void> {
    await Promise.all(this.#joined.map((run) => run.stop('the worker was stopped')));
  }

  get #joined(): JoinedRun[] {
    return [...this.#runs.values()].flatMap(({ joined }) => joined ?? []);
  }

  /** Joins the runs of the list that it does not know, and leaves those that are not in it any more. */
  async #look(): Promise<void> {
    const runs = await readRuns(this.#redis);
    for (const run of this.#runs.keys()) if (!runs.has(run)) await this.#leave(run);
    if (this.#isClosing) return;
    for (const [run, manifest] of runs) {
      const known = this.#runs.get(run);
      if (known === undefined) {
        await this.#join(run, manifest);
        continue;
      }
      if (known.execution !== manifest.execution) {
        await this.#joinAgain(run, known);
        continue;
      }
      if (known.publishedAt !== manifest.at) known.heardAt = performance.now();
      known.publishedAt = manifest.at;
      await known.joined?.follow(manifest);
    }
    this.#divide();
    await this.#report();
  }

  #change(): void {
    this.#options.onEvent({ type: 'changed' });
    this.#reportTimer ??= setTimeout(() => {
      this.#reportTimer = undefined;
      this.#report().catch((error: unknown) => this.#redis.errors.report(error));
    }, reportMs);
  }

  /** Says what it does, for everyone who asks. */
  async #report(): Promise<void> {
    if (this.#isGone) return;
    const { name, host, pid, slots, offers, code, lockMs } = this.#options;
    const running = this.#joined.flatMap((run) => run.running);
    const refused = [...this.#runs.values()].flatMap(({ name: run, refusal }) =>
      refusal === undefined ? [] : [{ run, reason: refusal }],
    );
    await saveReport(this.#redis, {
      ...{ name, host, pid, slots, offers, code },
      assay: readVersion(),
      lock_ms: lockMs,
      since: this.#since,
      busy: running.length,
      running: running
        .slice(0, namedRunning)
        .map(({ id, trial }) => (trial === undefined ? id : `${id}~${trial}`)),
      finished: this.finished,
      runs: this.runs,
      refused,
      at: new Date().toISOString(),
    });
  }

  async #join(run: string, manifest: RunManifest): Promise<void> {
    const entry: KnownRun = {
      name: manifest.run.runName,
      execution: manifest.execution,
      publishedAt: manifest.at,
      heardAt: performance.now(),
    };
    this.#runs.set(run, entry);
    const { name, slots, offers, local, lockMs, onEvent } = this.#options;
    let joined: JoinedRun | undefined;
    try {
      const reason = await this.#reasonAgainst(manifest);
      if (reason !== undefined) {
        this.#refuse(run, entry, reason);
        return;
      }
      joined = new JoinedRun({
        redis: this.#redis,
        manifest,
        name,
        offers,
        slots,
        lockMs,
        cwd: local.cwd,
        env: local.env,
        ...beginImport(manifest, { ...local, slots }),
        say: (message) => this.#say(message),
        onChange: () => this.#change(),
        onOther: () => {
          this.#look().catch((error: unknown) => this.#redis.errors.report(error));
        },
        onRefused: (reason) => {
          // It stays known, so that it is not joined again.
          void this.#end(entry, reason);
          this.#refuse(run, entry, reason);
        },
        onFailure: (problem) => {
          this.#refuse(run, entry, problem);
          void this.#leave(run);
        },
      });
      await joined.begin(manifest.slots + slots);
    } catch (error) {
      await joined?.close();
      this.#refuse(run, entry, error instanceof Error ? error.message : String(error));
      return;
    }
    if (this.#runs.get(run) !== entry || this.#isClosing || entry.refusal !== undefined) {
      await joined.close();
      return;
    }
    entry.joined = joined;
    this.#divide();
    onEvent({ type: 'joined', run: entry.name });
    this.#change();
    this.#say({ type: 'joined', run, worker: name, slots });
  }

  /** Leaves an earlier execution of a run, whose end was not heard, for the present one: the code may have changed. */
  async #joinAgain(run: string, known: KnownRun): Promise<void> {
    // The list that shows another one may be older than what is known.
    const manifest = await readRun(this.#redis, run);
    if (this.#isClosing || this.#runs.get(run) !== known) return;
    if (manifest === undefined || manifest.execution === known.execution) return;
    this.#leave(run).catch(() => undefined);
    if (!manifest.isEnded) await this.#join(run, manifest);
  }

  /** The reason why this machine cannot run it. */
  async #reasonAgainst({
    wire,
    assay,
    node,
    anyNode,
    code,
  }: RunManifest): Promise<string | undefined> {
    const own = readVersion();
    if (wire !== wireVersion || assay !== own) return `it has assay ${own}, the run ${assay}`;
    const { node: ownNode } = process.versions;
    if (!anyNode && !isSameMajor(node, ownNode)) {
      return `it has Node ${ownNode}, the run ${node} (--any-node lets it take part)`;
    }
    const difference = await differenceFrom(code, this.#options.local.cwd);
    return difference && `${difference} in its checkout`;
  }

  #refuse(run: string, entry: KnownRun, reason: string): void {
    const { name, onEvent } = this.#options;
    entry.refusal = reason;
    onEvent({ type: 'refused', run: entry.name, reason });
    this.#change();
    this.#say({ type: 'refused', run, worker: name, reason });
  }

  async #leave(run: string): Promise<void> {
    const entry = this.#runs.get(run);
    this.#runs.delete(run);
    if (entry?.joined === undefined) return;
    await this.#end(entry, 'the run has ended');
    this.#options.onEvent({ type: 'left', run: entry.name });
    this.#change();
  }

  /** Takes no part in a run any more. */
  async #end(entry: KnownRun, reason: string): Promise<void> {
    const { joined } = entry;
    if (joined === undefined) return;
    entry.joined = undefined;
    this.#finished += joined.finished;
    await joined.stop(reason);
    this.#divide();
  }

  /** Divides the slots over the runs; those whose coordinator is silent get what the others leave. */
  #divide(): void {
    const now = performance.now();
    const runs = [...this.#runs.values()].filter(({ joined }) => joined);
    const heard = runs.filter(({ heardAt }) => now - heardAt < silentMs);
    const sharing = new Set(heard.length === 0 ? runs : heard);
    const count = Math.max(1, Math.floor(this.#options.slots / Math.max(1, sharing.size)));
    for (const one of runs) {
      if (one.joined !== undefined) one.joined.concurrency = sharing.has(one) ? count : 1;
    }
  }

  async #receive(text: string): Promise<void> {
    const message = parseToWorkers(text);
    if (message === undefined) return;
    const { run } = message;
    const joined = this.#runs.get(run)?.joined;
    switch (message.type) {
      case 'opened':
        // What was refused may be possible now.
        if (this.#runs.get(run)?.refusal !== undefined) this.#runs.delete(run);
        await this.#look().finally(() => {
          // Who joins says so.
          const { name: worker, slots } = this.#options;
          const isIn = joined !== undefined && this.#runs.get(run)?.joined === joined;
          if (isIn) this.#say({ type: 'joined', run, worker, slots });
        });
        return;
      case 'closed':
        await this.#leave(run);
        return;
      case 'slots':
        await joined?.share(message.slots);
        return;
      case 'pause':
        await joined?.pause();
        break;
      case 'resume':
        joined?.resume();
        break;
      case 'stop':
        await this.#leave(run);
        break;
      default:
        return;
    }
    this.#say({ type: 'done', run, nonce: message.nonce, waiting: joined?.waiting ?? [] });
  }

  #say(message: ToCoordinators): void {
    this.#redis.client
      .publish(this.#names.toCoordinators, JSON.stringify(message))
      .catch(() => undefined);
  }
}
