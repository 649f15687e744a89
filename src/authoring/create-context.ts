import type { Score } from '../model/score.js';
import type { EvalContext, TraceData } from './context.js';
import { copyPlain } from './copy-plain.js';
import { describeValue } from './describe-value.js';
import type { EvaluatorArgs } from './evaluator.js';
import type { ExpandedCase } from './expand-cases.js';
import type { ScoreFunction } from './grade.js';
import { isRecord } from './parse-options.js';
import { ScoreBook } from './score-book.js';

/** What an attempt grades: the case's own, or what was stored of it. */
export type ContextCase = Pick<
  ExpandedCase,
  'caseId' | 'input' | 'reference' | 'metadata' | 'labels' | 'defaultScoreKey'
>;

/** What the run adds; the last three are for grading again what a target has done before. */
export interface ContextRuntime {
  readonly signal: AbortSignal;
  readonly params: Readonly<Record<string, unknown>>;
  readonly runId: string;
  readonly runName: string;
  readonly sessionName: string;
  readonly evalPath: string;
  readonly functionName: string;
  readonly dataset: string;
  readonly trial?: number;
  readonly output?: unknown;
  readonly traceData?: TraceData;
  /** Seconds, as measured. */
  readonly latency?: number | null;
}

/** A context and the keys to it that user code does not get. */
export interface ContextHandle {
  readonly context: EvalContext;
  /** The scores so far, in order of first appearance. */
  scores(): Score[];
  /** How often `ctx.score` was called; tells whether the body graded by itself. */
  scoreCalls(): number;
  /** Adds scores that were not set through the context; same key replaces. */
  addScores(scores: readonly Score[]): void;
  /** Seconds: what the evaluation set itself, else what was measured, else `null`. */
  latency(): number | null;
  /** Takes a measured latency, which yields to one that the evaluation has set or sets later. */
  measured(seconds: number): void;
  /** What evaluators are given now. */
  evaluatorArgs(): EvaluatorArgs;
}

/** Makes the context of one attempt; input, reference and metadata are copies of the case's. */
export function createContext(of: ContextCase, runtime: ContextRuntime): ContextHandle {
  const book = new ScoreBook(of.defaultScoreKey);
  const latency = new Latency(runtime.latency ?? null);
  const context = new AttemptContext(of, runtime, book.score, latency);
  return {
    context,
    scores: () => book.scores(),
    scoreCalls: () => book.calls,
    addScores: (scores) => book.add(scores),
    latency: () => latency.value,
    measured: (seconds) => latency.measure(seconds),
    evaluatorArgs: () => evaluatorArgs(context),
  };
}

function evaluatorArgs(context: EvalContext): EvaluatorArgs {
  return {
    input: context.input,
    output: context.output,
    reference: context.reference,
    expected: context.reference,
    metadata: context.metadata,
    traceData: context.traceData,
    latency: context.latency,
    // A signal is made only for those who look at it.
    get signal() {
      return context.signal;
    },
    params: context.params,
  };
}

class AttemptContext implements EvalContext {
  readonly input: unknown;
  readonly reference: unknown;
  readonly expected: unknown;
  output: unknown;
  readonly score: ScoreFunction;
  readonly params: Readonly<Record<string, unknown>>;
  readonly runId: string;
  readonly runName: string;
  readonly sessionName: string;
  readonly evalPath: string;
  readonly functionName: string;
  readonly caseId: string | undefined;
  readonly dataset: string;
  readonly labels: readonly string[];
  readonly trial: number | undefined;
  readonly #runtime: ContextRuntime;
  readonly #latency: Latency;
  #metadata: Record<string, unknown>;
  #traceData: TraceData;

  constructor(of: ContextCase, runtime: ContextRuntime, score: ScoreFunction, latency: Latency) {
    this.input = copyPlain(of.input);
    this.reference = copyPlain(of.reference);
    this.expected = this.reference;
    this.output = runtime.output;
    this.score = score;
    this.params = runtime.params;
    this.runId = runtime.runId;
    this.runName = runtime.runName;
    this.sessionName = runtime.sessionName;
    this.evalPath = runtime.evalPath;
    this.functionName = runtime.functionName;
    this.caseId = of.caseId;
    this.dataset = runtime.dataset;
    this.labels = of.labels;
    this.trial = runtime.trial;
    this.#runtime = runtime;
    this.#latency = latency;
    this.#metadata = copyPlain(of.metadata);
    this.#traceData = runtime.traceData ?? {};
  }

  get signal(): AbortSignal {
    return this.#runtime.signal;
  }

  get metadata(): Record<string, unknown> {
    return this.#metadata;
  }

  set metadata(value: unknown) {
    this.#metadata = demandRecord('metadata', value);
  }

  get traceData(): TraceData {
    return this.#traceData;
  }

  set traceData(value: unknown) {
    this.#traceData = demandRecord('traceData', value);
  }

  get latency(): number | null {
    return this.#latency.value;
  }

  set latency(value: unknown) {
    this.#latency.set(value);
  }
}

class Latency {
  value: number | null;
  #isSet = false;

  constructor(value: number | null) {
    this.value = value;
  }

  measure(seconds: number): void {
    if (!this.#isSet) this.value = seconds;
  }

  set(value: unknown): void {
    if (value !== null && !(typeof value === 'number' && value >= 0 && Number.isFinite(value))) {
      throw new TypeError(
        `ctx.latency must be a number of seconds from 0, or null, not ${describeValue(value)}`,
      );
    }
    this.value = value;
    this.#isSet = value !== null; // null hands it back to the clock
  }
}

function demandRecord(name: string, value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new TypeError(`ctx.${name} must be an object, not ${describeValue(value)}`);
}
