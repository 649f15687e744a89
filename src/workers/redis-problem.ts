import { AssayError } from '../errors.js';

/** Waits for what Redis answers; an answer that is an error is thrown as an `AssayError`. */
export async function answered<T>(shownUrl: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw isReply(error) ? redisProblem(error, shownUrl) : error;
  }
}

/** An error of the client of Redis, as something that the user can fix. */
export function redisProblem(error: unknown, shownUrl: string): AssayError {
  const { message = String(error), code } = error as { message?: string; code?: string };
  const refused = isReply(error) ? refusal(message) : undefined;
  const [text, ...hints] = refused
    ? [`Redis at ${shownUrl} ${refused[0]}.`, ...refused.slice(1)]
    : [
        `No Redis answers at ${shownUrl}: ${reason(code, message)}.`,
        shownUrl.startsWith('rediss:')
          ? 'Start it, or use redis:// if it does not use TLS.'
          : 'Start it (redis-server), or use rediss:// if it uses TLS.',
      ];
  return new AssayError('redis-unavailable', text, { cause: error, hints });
}

/** True for an answer of the server that its memory is full. */
export function isFull(error: unknown): boolean {
  return String(error).includes('OOM');
}

/** True for an answer of the server, as opposed to a failure to get one. */
export function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** What the server does, and what to do about it. */
function refusal(reply: string): [what: string, ...hints: string[]] {
  // Errors of scripts go on with the place in the script.
  const message = reply.replace(/,? script: .*$/s, '').replace(/\.$/, '');
  if (message.includes('NOAUTH')) return ['asks for a password', credentials];
  if (message.includes('WRONGPASS') || message.includes('invalid password')) {
    return ['refuses the user or the password', credentials];
  }
  if (/NOPERM|ACL failure|The user executing the script/.test(message)) {
    return [
      `does not allow what assay needs (${message})`,
      'Its user needs all commands, keys and channels that begin with assay: ACL SETUSER … ~assay:* &assay:* +@all',
    ];
  }
  if (message.includes('DB index')) {
    return [
      `has no such database: ${message.replace(/^ERR /, '')}`,
      'The path of the URL is the number of a database, from 0; redis-server has 16 unless configured otherwise.',
    ];
  }
  if (isFull(message)) return ['is full (maxmemory)', 'Give it more memory, or remove something.'];
  return [`refuses: ${message}`, 'Is it a server that assay may write to?'];
}

const credentials =
  'Give the user and the password in the URL, or as ASSAY_REDIS_USERNAME and ASSAY_REDIS_PASSWORD.';

function reason(code: string | undefined, message: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection is refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name is not known';
    case 'ETIMEDOUT':
      return 'no answer in time';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection is reset';
    default:
      if (message.startsWith('Protocol error')) return 'what answers there is not Redis';
      return code?.startsWith('ERR_SSL') === true || message.includes('SSL')
        ? 'it does not use TLS'
        : message.replace(/\.$/, '').toLowerCase();
  }
}

/** What to say of a server. */
export interface RedisNotes {
  /** The connection is lost. */
  readonly lost: string;
  /** The memory of the server is full. */
  readonly full: string;
  readonly onWarning: (text: string) => void;
}

const tryEveryMs = 1_000;

/** Says once what a server refuses, and waits while its memory is full. */
export class RedisErrors {
  readonly #shownUrl: string;
  readonly #notes: RedisNotes;
  readonly #said = new Set<string>();

  constructor(shownUrl: string, notes: RedisNotes) {
    this.#shownUrl = shownUrl;
    this.#notes = notes;
  }

  /** Writes, and tries again while the memory of the server is full and `isOver` is false. */
  async retryWhileFull<T>(write: () => Promise<T>, isOver: () => boolean): Promise<T> {
    for (let isRetry = false; ; isRetry = true) {
      try {
        const value = await write();
        if (isRetry) this.clear();
        return value;
      } catch (error) {
        if (!isFull(error)) throw error;
        this.report(error);
        if (isOver()) throw error;
        await new Promise((resolve) => setTimeout(resolve, tryEveryMs));
      }
    }
  }

  /** Says what the server refuses. Errors of the connection are not reported: that it is lost has been said. */
  report(error: unknown): void {
    if (isFull(error)) this.#say(this.#notes.full, this.#notes.full);
    else if (isReply(error)) {
      const problem = redisProblem(error, this.#shownUrl);
      // One hint for one problem, whatever commands it has.
      this.#say(problem.hints.join(), problem.inOneLine);
    }
  }

  /** The server does again what it is asked: what it refuses from now on is said again. */
  clear(): void {
    this.#said.clear();
  }

  #say(problem: string, text: string): void {
    if (this.#said.has(problem)) return;
    this.#said.add(problem);
    this.#notes.onWarning(text);
  }
}

/** Waits for a promise, but at most so long: a server that is away may never answer. False if the time is over. */
export async function resolvesWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}
