import type { HostMessage, RunnerMessage } from '../../protocol/messages.js';
import { Attempt, type Caller } from '../attempt/attempt.js';
import type { CallStart } from './call-record.js';

export type Question = Omit<Extract<HostMessage, { type: 'ask' }>, 'type' | 'task' | 'call'>;
type Answer = Extract<RunnerMessage, { type: 'answer' }>;

export interface AnswerHead {
  readonly status: number;
  readonly headers: { get(name: string): string | null | undefined };
}

export class CallPermissions {
  readonly #send: (message: HostMessage) => void;
  readonly #open = new Map<number, (answer: Answer) => void>();
  #last = 0;

  /** `send` is called once the running code waits, so that the runner has heard of calls that ended before. */
  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
  }

  /** Makes the call once it is allowed; the clock of its attempt is stopped until then. Rejects if it is refused or aborted. */
  async ask<Made extends AnswerHead>(
    caller: Caller,
    question: Question,
    signal: AbortSignal | undefined,
    make: (start: Pick<CallStart, 'asked' | 'waited'>) => Promise<Made>,
  ): Promise<Made> {
    if (!(caller instanceof Attempt)) return make({});
    signal?.throwIfAborted();
    this.#last += 1;
    const call = this.#last;
    const { task } = caller.task;
    const waited = await this.#answerTo(caller, call, question, signal);
    try {
      const made = await make({ asked: call, waited });
      this.#send({ type: 'answering', task, call, retryAfter: retryAfterOf(made) });
      return made;
    } catch (error) {
      this.#send({ type: 'withdraw', task, call });
      throw error;
    }
  }

  answer(answer: Answer): void {
    this.#open.get(answer.call)?.(answer);
  }

  /** Resolves to the seconds for which the call was held. */
  async #answerTo(
    caller: Attempt,
    call: number,
    question: Question,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const { task } = caller.task;
    caller.hold();
    let onAbort = () => {};
    try {
      const { refusal, waited = 0 } = await new Promise<Answer>((resolve, reject) => {
        this.#open.set(call, resolve);
        onAbort = () => {
          this.#send({ type: 'withdraw', task, call });
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort);
        this.#send({ type: 'ask', task, call, ...question });
      });
      if (refusal !== undefined) throw new CallRefused(refusal);
      return waited;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#open.delete(call);
      caller.resume();
    }
  }
}

/** Seconds to wait before the next call, from a provider's `retry-after`. */
function retryAfterOf({ status, headers }: AnswerHead): number | undefined {
  if (status !== 429) return undefined;
  const inMs = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (inMs >= 0 && inMs < Infinity) return inMs / 1000;
  const after = headers.get('retry-after');
  if (typeof after !== 'string') return undefined;
  const seconds = /^\s*[\d.]+\s*$/.test(after)
    ? Number(after)
    : (Date.parse(after) - Date.now()) / 1000;
  return seconds > 0 && seconds < Infinity ? seconds : undefined;
}

export class CallRefused extends Error {
  override name = 'CallRefused';
}
