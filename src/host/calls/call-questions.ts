import type { HostMessage, RunnerMessage } from '../../protocol/messages.js';
import { Attempt, type Caller } from '../attempt.js';

type Question = Omit<Extract<HostMessage, { type: 'ask' }>, 'type' | 'task' | 'call'>;
type Answer = Extract<RunnerMessage, { type: 'answer' }>;

/** Asks the runner whether calls may be made. */
export class CallQuestions {
  readonly #send: (message: HostMessage) => void;
  readonly #open = new Map<number, (answer: Answer) => void>();
  #last = 0;

  /** `send` is called once the running code waits, so that the runner has heard of calls that ended before. */
  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
  }

  /** Resolves when the call may be made, with the seconds for which it was held; the time of its attempt stands still meanwhile. Rejects when it may not be made, or is aborted. */
  async ask(caller: Caller, question: Question, signal: AbortSignal | undefined): Promise<number> {
    if (!(caller instanceof Attempt)) return 0;
    signal?.throwIfAborted();
    this.#last += 1;
    const call = this.#last;
    caller.hold();
    let onAbort = () => {};
    try {
      const { refusal, waited = 0 } = await new Promise<Answer>((resolve, reject) => {
        this.#open.set(call, resolve);
        onAbort = () => {
          this.#send({ type: 'withdraw', call });
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort);
        this.#send({ type: 'ask', task: caller.task.task, call, ...question });
      });
      if (refusal !== undefined) throw new CallRefused(refusal);
      return waited;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#open.delete(call);
      caller.goOn();
    }
  }

  answer(answer: Answer): void {
    this.#open.get(answer.call)?.(answer);
  }
}

/** What a call that may not be made fails with. */
class CallRefused extends Error {
  override name = 'CallRefused';
}
