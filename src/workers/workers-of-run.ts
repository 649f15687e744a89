import type { Redis } from 'ioredis';
import { countOf } from '../text/count-text.js';
import type { LateCalls, ToWorkers } from './messages.js';
import { parseToCoordinators } from './messages.js';
import { connectedWorkers, isOffered, isSilent, readReports } from './presence.js';
import { namesOf, type RedisServer } from './redis-server.js';

export interface WorkersOfRunOptions {
  readonly redis: RedisServer;
  /** Id of the run. */
  readonly run: string;
  /** Models have rates, which the workers share by their slots. */
  readonly hasRates: boolean;
  readonly onWarning: (text: string) => void;
  /** The number of slots has changed. */
  readonly onSlots: () => void;
  /** Calls have ended after their attempt. */
  readonly onLate: (late: LateCalls) => void;
}

type Command = Extract<ToWorkers, { readonly nonce: string }>['type'];

/** Milliseconds to wait for workers to obey. */
const obeyMs = 3_000;

/** The workers that take part in a run, as its coordinator knows them, and what it says to them. */
export class WorkersOfRun {
  readonly #options: WorkersOfRunOptions;
  readonly #names: ReturnType<typeof namesOf>;
  /** Slots by name. */
  readonly #slots = new Map<string, number>();
  #expected = 0;
  #hadSlots = false;
  /** It was said that nobody is there. */
  #saidNone = false;
  /** Reasons by name. */
  readonly #refusals = new Map<string, string>();
  /** By nonce of a command. */
  readonly #obeying = new Map<
    string,
    { obeyed: number; wanted: number; readonly waiting: number[]; readonly done: () => void }
  >();
  /** Requirements that nobody offered, with commas. */
  readonly #missing = new Set<string>();
  #subscriber: Redis | undefined;

  constructor(options: WorkersOfRunOptions) {
    this.#options = options;
    this.#names = namesOf(options.redis);
  }

  /** Begins to listen, and finds out who may take part. */
  async open(): Promise<void> {
    const { redis } = this.#options;
    this.#subscriber = redis.subscriber();
    this.#subscriber.on('message', (_, text) => this.#receive(text));
    const [reports] = await Promise.all([
      readReports(redis),
      this.#subscriber.subscribe(this.#names.toCoordinators),
    ]);
    this.#expected = reports.reduce((sum, { slots }) => sum + slots, 0);
  }

  /** Asks all workers to take part, also those that do. */
  async call(): Promise<void> {
    await this.#say({ type: 'opened', run: this.#options.run });
  }

  /** Tells them that the run has ended. */
  async dismiss(): Promise<void> {
    await this.#say({ type: 'closed', run: this.#options.run });
  }

  close(): void {
    this.#subscriber?.disconnect();
  }

  /** Slots of the workers that were there at the start; some may refuse the run, or be gone. */
  get expectedSlots(): number {
    return this.#expected;
  }

  /** All slots that work on the run. */
  get slots(): number {
    return [...this.#slots.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Sends a command; resolves when all have obeyed, or after three seconds, with the numbers of tasks that workers have
   * and have not begun.
   */
  async command(type: Command): Promise<readonly number[]> {
    const { run } = this.#options;
    const nonce = crypto.randomUUID();
    const waiting: number[] = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, obeyMs);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      const entry = { obeyed: 0, wanted: Number.POSITIVE_INFINITY, waiting, done };
      this.#obeying.set(nonce, entry);
      this.#say({ type, run, nonce }).then((workers) => {
        entry.wanted = workers;
        if (entry.obeyed >= workers) done();
      }, done);
    });
    this.#obeying.delete(nonce);
    return waiting;
  }

  /** Removes workers whose connection is gone or silent. */
  async look(): Promise<void> {
    const { redis, onWarning } = this.#options;
    if (this.#slots.size === 0) return;
    const connected = await connectedWorkers(redis);
    if (connected === undefined) return;
    const locks = new Map((await readReports(redis)).map((one) => [one.name, one.lock_ms]));
    for (const name of [...this.#slots.keys()]) {
      if (!isSilent(connected.get(name), locks.get(name) ?? 0)) continue;
      this.#slots.delete(name);
      onWarning(`Worker ${name} is gone; others take its evaluations when its lock has expired.`);
      this.#onSlots();
    }
  }

  /** Warns if nobody is there to run anything; once until somebody joins. */
  warnIfNone(): void {
    const { redis, onWarning } = this.#options;
    if (this.#slots.size > 0 || this.#saidNone) return;
    this.#saidNone = true;
    const refused =
      this.#refusals.size === 0 ? '' : ` ${countOf(this.#refusals.size, 'worker')} refused.`;
    onWarning(
      `No worker takes part ${this.#hadSlots ? 'any more' : 'yet'}; the run waits.${refused} Start one in a checkout of this code: assay worker --redis ${redis.shownUrl}`,
    );
  }

  /** Warns once of each requirement that none of the workers offers, while evaluations wait for it. */
  async warnOfMissing(waiting: ReadonlyMap<string, number>): Promise<void> {
    const { redis, onWarning } = this.#options;
    const reports = (await readReports(redis)).filter(({ name }) => this.#slots.has(name));
    if (reports.length === 0) return;
    for (const [requires, count] of waiting) {
      const names = requires.split(',').filter((name) => name !== '');
      if (isOffered(names, reports) || this.#missing.has(requires)) continue;
      this.#missing.add(requires);
      onWarning(
        `No worker offers ${requires}: ${countOf(count, 'evaluation')} in the queue ${count === 1 ? 'waits' : 'wait'}. Start one: assay worker --redis ${redis.shownUrl} --offers ${requires}`,
      );
    }
  }

  #receive(text: string): void {
    const { run, onWarning, onLate } = this.#options;
    const message = parseToCoordinators(text);
    if (message === undefined || message.run !== run) return;
    switch (message.type) {
      case 'joined':
        if (this.#slots.get(message.worker) === message.slots) return;
        this.#slots.set(message.worker, message.slots);
        this.#hadSlots = true;
        this.#saidNone = false;
        this.#refusals.delete(message.worker);
        this.#onSlots();
        return;
      case 'left':
        if (this.#slots.delete(message.worker)) this.#onSlots();
        return;
      case 'refused':
        if (this.#refusals.get(message.worker) === message.reason) return;
        this.#refusals.set(message.worker, message.reason);
        if (this.#slots.delete(message.worker)) this.#onSlots();
        onWarning(`Worker ${message.worker} refuses the run: ${message.reason}.`);
        return;
      case 'late':
        onLate(message);
        return;
      case 'done': {
        const obeying = this.#obeying.get(message.nonce);
        if (obeying === undefined) return;
        obeying.obeyed += 1;
        for (const task of message.waiting) obeying.waiting.push(task);
        if (obeying.obeyed >= obeying.wanted) obeying.done();
      }
    }
  }

  #onSlots(): void {
    const { hasRates, run, onSlots } = this.#options;
    onSlots();
    if (hasRates) this.#say({ type: 'slots', run, slots: this.slots }).catch(() => undefined);
  }

  #say(message: ToWorkers): Promise<number> {
    return this.#options.redis.client.publish(this.#names.toWorkers, JSON.stringify(message));
  }
}
