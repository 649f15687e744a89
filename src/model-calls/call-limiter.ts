import type { CallLimits, Rates } from '../model/calls/call-rules.js';
import type { StoredCall, StoredCalls } from '../model/calls/stored-calls.js';
import { costsNothing, hasAllTokens, mayCost } from '../model/calls/usage.js';
import { countOf } from '../text/count-text.js';
import { renderNumber } from '../text/number-text.js';
import { hostOf } from '../text/parsed-url.js';
import { notModelsHint, renderDollars } from '../text/usage-text.js';
import type { CallPricer } from './prices.js';
import type { RateLimiter } from './rate-limiter.js';

/** A call that an attempt is about to make. */
interface AskedCall {
  readonly task: number;
  /** Identifies the call among those of its task. */
  readonly question: number;
  /** Id of the case. */
  readonly id: string;
  /** False for one whose attempt has ended. */
  readonly isRunning: boolean;
  /** Absent for a call that is not known to be one of a model. */
  readonly model?: string | undefined;
  readonly isOfModel: boolean;
  readonly host: string;
  /** Bytes of the request's body. */
  readonly size: number;
  /** It is answered from a recording: it neither costs nor has to wait. */
  readonly isReplayed?: boolean | undefined;
}

/** Permission for a call, or its refusal. */
export interface CallAnswer {
  /** The reason for a refusal; absent if the call is allowed. */
  readonly refusal?: string;
  /** Seconds for which it was held. */
  readonly waited?: number;
}

/** What is known of the attempt of a row when it has finished. */
interface FinishedAttempt {
  readonly index: number;
  readonly outcome: {
    readonly status: 'completed' | 'error';
    readonly error: string | null;
    readonly no_draw?: boolean | undefined;
  };
}

export interface CallLimiterOptions {
  /** The limits of an attempt of a case. */
  readonly limitsOf: (id: string) => CallLimits | undefined;
  /** US dollars that the run may spend. */
  readonly maxCost: number | undefined;
  /** US dollars that the results of the run have cost before. */
  readonly spentBefore: number;
  /** Called once, when a call counts for the budget that is not understood. */
  readonly onUnknown?: (text: string) => void;
  /** True when costs decide, so that the price list has to be there. */
  readonly needsPrices: boolean;
  readonly pricer: CallPricer;
  readonly rates?: Rates | undefined;
  /** Period of rates in milliseconds. Default: a minute. */
  readonly rateWindowMs?: number | undefined;
}

/** The calls of a running attempt so far. */
interface AttemptTotals {
  readonly limits: CallLimits | undefined;
  readonly settled: Set<number>;
  /** Questions that were counted when they were allowed, and the calls that asked them. */
  readonly counted: Set<number>;
  readonly asked: Set<number>;
  calls: number;
  tokens: number;
  cost: number;
  /** Why its tokens, and its cost, are not known. */
  unknownTokens: string | undefined;
  unknownCost: string | undefined;
  /** The reason why the result is an error. */
  problem: string | undefined;
}

/** Decides about calls, of an execution or of one of its runs. */
export type CallControl = Pick<CallLimiter, Exclude<keyof CallLimiter, 'ofRun'>>;

/** Decides which calls of an execution may be made, and when: the limits of each attempt, the budget of the run, the rates of models. */
export class CallLimiter {
  readonly #options: CallLimiterOptions;
  readonly #attempts = new Map<number, AttemptTotals>();
  readonly #budget: RunBudget | undefined;
  readonly #waitedElsewhere = new Map<string, number>();
  /** The last one has the current rates; calls that others let through still count there. */
  #rates: RateLimiter[] = [];
  /** Limits that could not be judged. */
  readonly #unjudged = new Set<keyof CallLimits>();
  #hasToldUnknown = false;
  #prepared: Promise<void> | undefined;

  constructor(options: CallLimiterOptions) {
    this.#options = options;
    const { maxCost, spentBefore } = options;
    if (maxCost !== undefined) {
      this.#budget = new RunBudget(maxCost, spentBefore, () => this.#stop());
    }
  }

  /** Loads prices and rates; call it before anything runs. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#prepare();
    return this.#prepared;
  }

  /** What it decides about a run whose tasks have numbers from `first` on, below `end`; to the run, they are from 0 on. */
  ofRun(first: number, end: number): CallControl {
    return new CallsOfRun(this, first, end);
  }

  async #prepare(): Promise<void> {
    const { needsPrices, pricer, rates } = this.#options;
    if (needsPrices) await pricer.load();
    if (rates !== undefined) await this.setRates(rates);
    this.#budget?.check();
  }

  /** Replaces the rates, for calls that ask from now on. */
  async setRates(rates: Rates): Promise<void> {
    const { RateLimiter } = await import('./rate-limiter.js');
    this.#rates.push(new RateLimiter(rates, this.#options.rateWindowMs));
  }

  /** True when each attempt should be taken only when it can start at once: none may start after the budget is spent. */
  get hasBudget(): boolean {
    return this.#budget !== undefined;
  }

  /** Calls `answer` once, maybe immediately. Returns a function that withdraws the question. */
  ask(call: AskedCall, answer: (answer: CallAnswer) => void): () => void {
    const { task, id, question, isOfModel, isRunning, isReplayed = false } = call;
    if (!isOfModel) {
      answer({});
      return () => undefined;
    }
    const refused = this.#refusalOf(task, id, isReplayed);
    const rates = this.#rates.at(-1);
    if (refused !== undefined || rates === undefined || !isRunning || isReplayed) {
      answer(this.#answerTo(call, refused));
      return () => undefined;
    }
    rates.ask(call, (waited) => {
      // While it waited, others may have reached a limit.
      const refusal = this.#refusalOf(task, id);
      if (refusal !== undefined) this.leave(task, question);
      answer({ ...this.#answerTo(call, refusal), ...(waited > 0 && { waited }) });
    });
    return () => this.leave(task, question);
  }

  /** A call that asked is not wanted any more, or has failed. */
  leave(task: number, question: number): void {
    for (const rates of this.#rates) rates.leave(task, question);
  }

  /** The answer to a call that asked has begun; `retryAfter` are the seconds for which the provider wants no others. */
  answering(task: number, question: number, retryAfter: number | undefined): void {
    for (const rates of this.#rates) rates.answering(task, question, retryAfter);
  }

  /** Seconds in which calls were held, by model; the longest first. */
  get waited(): readonly (readonly [model: string, seconds: number])[] {
    const all = new Map(this.#waitedElsewhere);
    for (const rates of this.#rates) {
      for (const [model, seconds] of rates.waited) all.set(model, (all.get(model) ?? 0) + seconds);
    }
    return [...all].sort(([, a], [, b]) => b - a);
  }

  /** Counts seconds in which other machines held calls of a model. */
  addWaited(model: string, seconds: number): void {
    this.#waitedElsewhere.set(model, (this.#waitedElsewhere.get(model) ?? 0) + seconds);
  }

  #answerTo({ task, id, question }: AskedCall, refusal: string | undefined): CallAnswer {
    if (refusal !== undefined) return { refusal };
    const attempt = this.#attemptOf(task, id);
    attempt.calls += 1;
    attempt.counted.add(question);
    return {};
  }

  #refusalOf(task: number, id: string, isReplayed = false): string | undefined {
    const attempt = this.#attemptOf(task, id);
    const reached = reachedLimit(attempt);
    if (reached !== undefined) {
      attempt.problem ??= reached;
      return reached;
    }
    if (isReplayed || this.#budget?.hasStopped !== true) return undefined;
    const refusal = this.#budget.refuse(task);
    attempt.problem ??= refusal;
    return refusal;
  }

  /** Counts all calls of an attempt that has finished. */
  finished(task: number, id: string, calls: StoredCalls): void {
    this.called(task, id, calls);
    const attempt = this.#attemptOf(task, id);
    // Those whose answer nobody reads never end.
    for (const call of calls.calls) {
      const isUnread =
        call.end === undefined && (call.status !== undefined || call.program !== undefined);
      if (isUnread && mayCost(call) && call.cost === undefined) this.#unread(attempt, call);
    }
  }

  #unread({ limits }: AttemptTotals, call: StoredCall): void {
    const isUnknown = call.model_call === undefined && !costsNothing(call);
    if (!isUnknown && (call.model_call === undefined || hasAllTokens(call.model_call))) return;
    this.#noteProgram(limits, call);
    if (limits?.tokens !== undefined) this.#unjudged.add('tokens');
    if (limits?.cost !== undefined) this.#unjudged.add('cost');
    if (isUnknown && this.hasBudget && call.replayed !== true) this.#tellUnknown(call);
  }

  /** Counts calls of an attempt that have begun or ended. */
  called(task: number, id: string, { calls }: StoredCalls): void {
    const attempt = this.#attemptOf(task, id);
    for (const call of calls) {
      if (call.asked !== undefined && attempt.counted.has(call.asked)) {
        attempt.asked.add(call.number);
      }
      for (const rates of this.#rates) rates.called(task, call);
      if (call.end === undefined || attempt.settled.has(call.number)) continue;
      attempt.settled.add(call.number);
      // One that has a cost was made before: a regrade brings the calls of its target.
      if (mayCost(call) && call.cost === undefined) this.#settle(attempt, call);
    }
    this.#budget?.check();
  }

  #settle(attempt: AttemptTotals, call: StoredCall): void {
    const { usage, cut } = call.model_call ?? {};
    const isFree = costsNothing(call);
    const isUnknown = call.model_call === undefined;
    if (call.program === undefined && !attempt.asked.has(call.number) && !(isUnknown && isFree)) {
      attempt.problem ??= reachedLimit(attempt);
      attempt.calls += 1;
    }
    attempt.tokens += (usage?.input ?? 0) + (usage?.output ?? 0);
    // An answer that broke off says nothing of those that come.
    const isProgram = call.program !== undefined;
    const saysMore = (call.status !== undefined || isProgram) && cut !== true;
    const lacksTokens = !isFree && (isUnknown || !hasAllTokens(call.model_call));
    if (lacksTokens) {
      const text = isUnknown ? notUnderstood(call) : `${modelOf(call)} reported no tokens`;
      if (saysMore) attempt.unknownTokens ??= text;
      this.#noteProgram(attempt.limits, call);
      if (attempt.limits?.tokens !== undefined) this.#unjudged.add('tokens');
    }
    if (!this.#options.needsPrices) return;
    const cost = this.#options.pricer.priceOf(call);
    const isReplayed = call.replayed === true;
    if (!isReplayed) {
      this.#budget?.spend(cost);
    }
    if (cost !== null) {
      attempt.cost += cost;
      return;
    }
    if (attempt.limits?.cost !== undefined) this.#unjudged.add('cost');
    if (saysMore) attempt.unknownCost ??= unknownCostText(call, lacksTokens);
    if (!this.hasBudget || isReplayed) return;
    if (isUnknown) this.#tellUnknown(call);
    else if (saysMore) this.#budget?.markUnknown();
  }

  /** A program may make any number of calls. */
  #noteProgram(limits: CallLimits | undefined, { program }: StoredCall): void {
    if (program !== undefined && limits?.calls !== undefined) this.#unjudged.add('calls');
  }

  #tellUnknown(call: StoredCall): void {
    if (this.#hasToldUnknown) return;
    this.#hasToldUnknown = true;
    const remedy =
      call.program === undefined
        ? notModelsHint([hostOf(call.url)])
        : 'if it calls no model, add its name to not_models in assay.yaml';
    const text = `${notUnderstood(call)}, so it is not known what it cost, and max-cost cannot be kept for such calls; ${remedy}.`;
    this.#options.onUnknown?.(`${text[0]?.toUpperCase()}${text.slice(1)}`);
  }

  #stop(): void {
    for (const rates of this.#rates) rates.endWaits();
  }

  /** An attempt with a refused call is an error, even if the code caught the refusal. */
  limited<Finished extends FinishedAttempt>(finished: Finished): Finished {
    const error = this.#attempts.get(finished.index)?.problem;
    if (error === undefined) return finished;
    const outcome = { ...finished.outcome, status: 'error', error, no_draw: undefined } as const;
    return { ...finished, outcome };
  }

  /** The attempt has ended, or starts again. */
  forget(task: number): void {
    this.#attempts.delete(task);
    for (const rates of this.#rates) rates.forget(task);
  }

  /** True when the budget ended the execution before its end. */
  get hasStopped(): boolean {
    return this.#budget?.hasStopped === true;
  }

  /** The limits of evaluations that could not be judged, because calls, or their cost or tokens, are not known. */
  get unjudged(): readonly (keyof CallLimits)[] {
    return [...this.#unjudged];
  }

  /** Absent without a budget. */
  get budget(): BudgetUse | undefined {
    return this.#budget?.use;
  }

  #attemptOf(task: number, id: string): AttemptTotals {
    const known = this.#attempts.get(task);
    if (known !== undefined) return known;
    const made: AttemptTotals = {
      limits: this.#options.limitsOf(id),
      settled: new Set(),
      counted: new Set(),
      asked: new Set(),
      calls: 0,
      tokens: 0,
      cost: 0,
      unknownTokens: undefined,
      unknownCost: undefined,
      problem: undefined,
    };
    this.#attempts.set(task, made);
    return made;
  }
}

/** The part of a limiter that a run of a group uses: limits of its attempts, the budget and the rates of all. */
class CallsOfRun implements CallControl {
  readonly #all: CallLimiter;
  readonly #first: number;
  readonly #end: number;

  constructor(all: CallLimiter, first: number, end: number) {
    this.#all = all;
    this.#first = first;
    this.#end = end;
  }

  prepare(): Promise<void> {
    return this.#all.prepare();
  }

  setRates(rates: Rates): Promise<void> {
    return this.#all.setRates(rates);
  }

  get hasBudget(): boolean {
    return this.#all.hasBudget;
  }

  get hasStopped(): boolean {
    return this.#all.hasStopped;
  }

  get unjudged(): CallLimiter['unjudged'] {
    return this.#all.unjudged;
  }

  /** What all of them have spent, and what was refused to this one. */
  get budget(): BudgetUse | undefined {
    const use = this.#all.budget;
    if (use === undefined) return undefined;
    const own = use.refused.filter((task) => task >= this.#first && task < this.#end);
    return { ...use, refused: own.map((task) => task - this.#first) };
  }

  /** Waits are not told apart by run, so they are those of the first. */
  get waited(): CallLimiter['waited'] {
    return this.#first === 0 ? this.#all.waited : [];
  }

  addWaited(model: string, seconds: number): void {
    this.#all.addWaited(model, seconds);
  }

  ask(call: AskedCall, answer: (answer: CallAnswer) => void): () => void {
    return this.#all.ask({ ...call, task: this.#first + call.task }, answer);
  }

  leave(task: number, question: number): void {
    this.#all.leave(this.#first + task, question);
  }

  answering(task: number, question: number, retryAfter: number | undefined): void {
    this.#all.answering(this.#first + task, question, retryAfter);
  }

  called(task: number, id: string, calls: StoredCalls): void {
    this.#all.called(this.#first + task, id, calls);
  }

  finished(task: number, id: string, calls: StoredCalls): void {
    this.#all.finished(this.#first + task, id, calls);
  }

  limited<Finished extends FinishedAttempt>(finished: Finished): Finished {
    const { index } = finished;
    return { ...this.#all.limited({ ...finished, index: this.#first + index }), index };
  }

  forget(task: number): void {
    this.#all.forget(this.#first + task);
  }
}

function reachedLimit(attempt: AttemptTotals): string | undefined {
  const { limits, calls, tokens, cost, unknownTokens, unknownCost } = attempt;
  if (limits === undefined) return undefined;
  if (limits.calls !== undefined && calls >= limits.calls) {
    return `limit reached: ${countOf(limits.calls, 'call')}`;
  }
  if (limits.tokens !== undefined) {
    const limit = `${renderNumber(limits.tokens)} tokens`;
    if (tokens >= limits.tokens) return `limit reached: ${limit}`;
    if (unknownTokens !== undefined) {
      return `the limit of ${limit} cannot be kept: ${unknownTokens}`;
    }
  }
  if (limits.cost === undefined) return undefined;
  const limit = renderDollars(limits.cost);
  if (cost >= limits.cost) return `limit reached: ${limit}`;
  return unknownCost && `the limit of ${limit} cannot be kept: ${unknownCost}`;
}

function unknownCostText(call: StoredCall, lacksTokens: boolean): string {
  if (call.model_call === undefined) return notUnderstood(call);
  return lacksTokens
    ? `${modelOf(call)} reported no tokens`
    : `the price of ${modelOf(call)} is not known`;
}

function notUnderstood({ url, program, unknown_model_call: { model } = {} }: StoredCall): string {
  if (program !== undefined)
    return `the program ${program} was started, and its calls are not seen`;
  const what = model === undefined ? '' : ` (${model})`;
  return `a call to ${hostOf(url)}${what} looks like a model call and is not understood`;
}

function modelOf({ model_call }: StoredCall): string {
  return model_call?.response_model ?? model_call?.model ?? 'a model';
}

/** The budget of an execution and its use. */
interface BudgetUse {
  readonly maxCost: number;
  readonly spent: number;
  /** Rows with a refused call. */
  readonly refused: readonly number[];
  /** Calls without a price, so that not all that was spent is known. */
  readonly unpriced: number;
}

/** What a run may spend on calls, in US dollars: after that, no call and no attempt starts. */
class RunBudget {
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
