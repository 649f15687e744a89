import type { HostMessage } from '../../../protocol/messages.js';
import type { CallAnswer, CallControl } from '../../call-control.js';
import type { Assignments } from './assignments.js';

type Question = Extract<HostMessage, { type: 'ask' }>;

/** What calls of a host process have asked and not been answered. The time of their tasks stands still. */
export class CallQuestions {
  readonly #assigned: Assignments;
  readonly #control: CallControl | undefined;
  readonly #open = new Map<number, () => void>();

  constructor(assigned: Assignments, control: CallControl | undefined) {
    this.#assigned = assigned;
    this.#control = control;
  }

  ask(
    { task, call, ...about }: Question,
    send: (answer: CallAnswer & { readonly call: number }) => void,
  ): void {
    const id = this.#assigned.get(task)?.id ?? '';
    if (this.#control === undefined) {
      send({ call });
      return;
    }
    this.#assigned.hold(task, performance.now());
    let isAnswered = false;
    const withdraw = this.#control.ask({ ...about, task, id }, (answer) => {
      isAnswered = true;
      this.#open.delete(call);
      this.#assigned.goOn(task, performance.now());
      send({ ...answer, call });
    });
    if (isAnswered) return;
    this.#open.set(call, () => {
      withdraw();
      this.#assigned.goOn(task, performance.now());
    });
  }

  withdraw(call: number): void {
    const withdraw = this.#open.get(call);
    this.#open.delete(call);
    withdraw?.();
  }

  withdrawAll(): void {
    for (const call of [...this.#open.keys()]) this.withdraw(call);
  }
}
