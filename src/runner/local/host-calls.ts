import type { StoredCall, StoredCalls } from '../../model/calls/stored-calls.js';
import type { CallAnswer, CallControl } from '../../model-calls/call-limiter.js';
import type { HostMessage } from '../../protocol/messages.js';
import type { Assignments } from './assignments.js';

type Question = Extract<HostMessage, { type: 'ask' }>;
type Send = (answer: CallAnswer & { readonly call: number }) => void;

/** The reason for refusing calls of a stopped run. */
const stopped = 'the run was stopped';

/** Calls of a host process that wait for permission. The clocks of their tasks are stopped. */
export class HeldCalls {
  readonly #assigned: Assignments;
  readonly #control: CallControl | undefined;
  readonly #open = new Map<
    number,
    { readonly withdraw: () => void; readonly refuse: () => void }
  >();
  #isStopped = false;

  constructor(assigned: Assignments, control: CallControl | undefined) {
    this.#assigned = assigned;
    this.#control = control;
  }

  ask({ task, call, ...about }: Question, send: Send): void {
    if (this.#control === undefined || this.#isStopped) {
      send({ call, ...(this.#isStopped && { refusal: stopped }) });
      return;
    }
    const id = this.#assigned.get(task)?.id ?? '';
    const isRunning = this.#assigned.isRunning(task);
    this.#assigned.hold(task, performance.now());
    let isAnswered = false;
    const end = () => {
      isAnswered = true;
      this.#open.delete(call);
      this.#assigned.resume(task, performance.now());
    };
    const asked = { ...about, task, question: call, id, isRunning };
    const takeBack = this.#control.ask(asked, (answer) => {
      end();
      send({ ...answer, call });
    });
    if (isAnswered) return;
    const withdraw = () => {
      takeBack();
      end();
    };
    const refuse = () => {
      withdraw();
      send({ call, refusal: stopped });
    };
    this.#open.set(call, { withdraw, refuse });
  }

  /** A call is not wanted any more, or has failed. */
  withdraw(task: number, call: number): void {
    const open = this.#open.get(call);
    if (open === undefined) this.#control?.leave(task, call);
    else open.withdraw();
  }

  withdrawAll(): void {
    for (const { withdraw } of [...this.#open.values()]) withdraw();
  }

  /** Refuses all waiting calls, and all later ones. */
  refuseAll(): void {
    this.#isStopped = true;
    for (const { refuse } of [...this.#open.values()]) refuse();
  }
}

/** The calls that a host process has made while it imported eval files, until attempts take them over. */
export class ImportCalls {
  readonly #byFile = new Map<string, Map<number, StoredCall>>();

  add(file: string, { calls }: StoredCalls): void {
    const known = this.#byFile.get(file) ?? new Map<number, StoredCall>();
    this.#byFile.set(file, known);
    for (const call of calls) known.set(call.number, call);
  }

  /** Calls of a file as the first ones of an attempt. */
  take(file: string, numbers: readonly number[]): StoredCalls {
    const known = this.#byFile.get(file);
    const calls = numbers.flatMap((number, position) => {
      const call = known?.get(number);
      known?.delete(number);
      return call === undefined ? [] : [{ ...call, number: position + 1 }];
    });
    return { calls, texts: [] };
  }

  /** Those that no attempt has taken; they are forgotten here. */
  clear(): StoredCall[] {
    const left = [...this.#byFile.values()].flatMap((calls) => [...calls.values()]);
    this.#byFile.clear();
    return left;
  }
}
