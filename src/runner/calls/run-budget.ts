import { renderDollars } from '../../text/usage-text.js';

/** The budget of an execution and its use. */
export interface BudgetUse {
  readonly maxCost: number;
  readonly spent: number;
  /** Rows with a refused call. */
  readonly refused: readonly number[];
  /** Calls without a price, so that not all that was spent is known. */
  readonly unpriced: number;
}

/** What a run may spend on calls, in US dollars: after that, no call and no attempt starts. */
export class RunBudget {
  readonly maxCost: number;
  readonly #onStop: () => void;
  readonly #refused = new Set<number>();
  #spent: number;
  #unpriced = 0;
  #isUnknown = false;
  #hasStopped = false;

  constructor(maxCost: number, spentBefore: number, onStop: () => void) {
    this.maxCost = maxCost;
    this.#spent = spentBefore;
    this.#onStop = onStop;
  }

  /** True when nothing else may start. */
  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  get use(): BudgetUse {
    const refused = [...this.#refused].sort((a, b) => a - b);
    return { maxCost: this.maxCost, spent: this.#spent, refused, unpriced: this.#unpriced };
  }

  /** Counts a call; `null`: its price is not known. */
  spend(cost: number | null): void {
    if (cost === null) this.#unpriced += 1;
    else this.#spent += cost;
  }

  /** The price of a model that answers is not known. */
  markUnknown(): void {
    this.#isUnknown = true;
  }

  /** Stops the execution once it is spent, or can no longer be kept. */
  check(): void {
    if (this.#hasStopped) return;
    if (this.#spent < this.maxCost && !this.#isUnknown) return;
    this.#hasStopped = true;
    this.#onStop();
  }

  /** Refuses a call of a row, and says why. */
  refuse(row: number): string {
    this.#refused.add(row);
    return this.#spent < this.maxCost
      ? `the budget of ${renderDollars(this.maxCost)} cannot be kept: calls have no known price`
      : `budget spent: ${renderDollars(this.#spent)} of ${renderDollars(this.maxCost)}`;
  }
}
