import { isAssertionError } from '../authoring/assertion-error.js';
import { type ContextHandle, createContext } from '../authoring/create-context.js';
import { evaluatorNames, gradeToScores } from '../authoring/grade-to-scores.js';
import type { JsonObject } from '../model/result.js';
import type { Score } from '../model/score.js';
import type { Outcome, RunContext } from '../protocol/messages.js';
import { type Attempt, currentAttempt, type Interruption } from './attempt.js';
import type { CatalogueEntry } from './catalogue.js';
import { errorText } from './error-text.js';
import { Sanitizer } from './sanitizer.js';

export interface Performed {
  readonly outcome: Outcome;
  /** Resolves when functions that were given the signal have let go; absent when nothing is waited for. */
  readonly lingering?: Promise<void>;
}

/** Makes one attempt: target, then body, then evaluators, until they end or something ends them. Never rejects. */
export function perform(
  attempt: Attempt,
  entry: CatalogueEntry,
  run: RunContext,
  sanitizer: Sanitizer,
): Promise<Performed> {
  const phases = new Phases(attempt, entry, run);
  const timer = setTimeout(() => {
    const error = new DOMException(`timed out after ${attempt.task.timeout} s`, 'TimeoutError');
    attempt.interrupt({ reason: 'timeout', error });
  }, attempt.task.timeout * 1000);
  return new Promise((resolve) => {
    let work: Promise<void> | undefined;
    // First, because functions may end the attempt before they return.
    attempt.onEnd((interruption) => {
      clearTimeout(timer);
      const outcome = phases.outcome(interruption, sanitizer);
      const mustLetGo = interruption?.reason === 'timeout' || interruption?.reason === 'stop';
      resolve(mustLetGo && work !== undefined ? { outcome, lingering: work } : { outcome });
    });
    work = currentAttempt.run(attempt, () => phases.run());
    void work.then(() => attempt.end());
  });
}

/** Target, body and evaluators of one attempt, and what they have produced so far. */
class Phases {
  readonly #attempt: Attempt;
  readonly #entry: CatalogueEntry;
  readonly #handle: ContextHandle;
  #phase: 'target' | 'body' | 'evaluators' = 'target';
  #targetFinished = false;
  #error: string | null = null;

  constructor(attempt: Attempt, entry: CatalogueEntry, run: RunContext) {
    const { stored, trial } = attempt.task;
    this.#attempt = attempt;
    this.#entry = entry;
    this.#targetFinished = stored !== undefined;
    const { spec, name, file, descriptor } = entry;
    this.#handle = createContext(stored === undefined ? spec : { ...spec, ...stored }, {
      ...run,
      get signal() {
        return attempt.signal;
      },
      evalPath: file,
      functionName: name,
      dataset: descriptor.dataset,
      ...(trial === undefined ? {} : { trial }),
      ...(stored === undefined
        ? {}
        : { output: stored.output, traceData: Sanitizer.traceData(stored.traceData) }),
    });
  }

  async run(): Promise<void> {
    if (!(await this.#runTarget())) return;
    if (!(await this.#runBody())) return;
    await this.#runEvaluators();
  }

  async #runTarget(): Promise<boolean> {
    const { target } = this.#entry.spec;
    if (target === undefined || this.#targetFinished) return true;
    const started = performance.now();
    try {
      const output = await target(this.#handle.context);
      if (output !== undefined) this.#handle.context.output = output;
      this.#targetFinished = true;
      return true;
    } catch (error) {
      this.#error = errorText(error);
      return false;
    } finally {
      this.#handle.measured((performance.now() - started) / 1000);
    }
  }

  async #runBody(): Promise<boolean> {
    const { body, spec } = this.#entry;
    if (body === undefined) return true;
    this.#phase = 'body';
    const key = spec.defaultScoreKey;
    const callsBefore = this.#handle.scoreCalls();
    const started = performance.now();
    try {
      await body(this.#handle.context);
      const graded = this.#handle.scoreCalls() > callsBefore;
      if (!graded) this.#handle.addScores([{ key, passed: true }]);
      return true;
    } catch (error) {
      if (isAssertionError(error)) {
        this.#handle.addScores([{ key, passed: false, notes: messageOf(error) }]);
        return true;
      }
      this.#error = errorText(error);
      return false;
    } finally {
      if (spec.target === undefined) this.#handle.measured((performance.now() - started) / 1000);
    }
  }

  async #runEvaluators(): Promise<void> {
    this.#phase = 'evaluators';
    const { evaluators } = this.#entry.spec;
    if (evaluators.length === 0) return;
    const names = evaluatorNames(evaluators);
    const args = this.#handle.evaluatorArgs();
    const failures: string[] = [];
    const grade = async (position: number): Promise<Score[]> => {
      const name = names[position] ?? '';
      try {
        return gradeToScores(await evaluators[position]?.(args), name, position);
      } catch (error) {
        failures.push(`evaluator ${name}: ${errorText(error)}`);
        return [];
      }
    };
    const graded = await Promise.all(evaluators.map((_, position) => grade(position)));
    for (const scores of graded) this.#handle.addScores(scores);
    if (failures.length > 0) this.#error = failures.join('\n');
  }

  /** What is known now, as JSON. */
  outcome(interruption: Interruption | undefined, sanitizer: Sanitizer): Outcome {
    const { context } = this.#handle;
    const attempt = this.#attempt;
    const output = sanitizer.value('output', context.output, attempt);
    const metadata = sanitizer.object('metadata', context.metadata, attempt);
    const traceData = sanitizer.trace(context.traceData, attempt);
    const error = interruption === undefined ? this.#error : this.#interruptionText(interruption);
    return {
      status: error === null ? 'completed' : 'error',
      output,
      scores: sanitizer.scores(this.#handle.scores()),
      error: error === null ? null : sanitizer.text(error),
      latency: this.#handle.latency(),
      trace_data: traceData,
      ...(this.#changes(metadata, sanitizer) ? { metadata } : {}),
      regradable: this.#entry.spec.target !== undefined && this.#targetFinished,
    };
  }

  #changes(metadata: JsonObject, sanitizer: Sanitizer): boolean {
    const authored = this.#attempt.task.stored?.metadata ?? this.#entry.spec.metadata;
    if (isEmpty(metadata) && isEmpty(authored)) return false;
    const before = sanitizer.object('metadata', authored);
    return JSON.stringify(before) !== JSON.stringify(metadata);
  }

  #interruptionText({ reason, error }: Interruption): string {
    switch (reason) {
      case 'timeout':
        return `timed out after ${this.#attempt.task.timeout} s in its ${this.#phase}`;
      case 'stop':
        return 'was stopped';
      case 'exit':
        return errorText(error).replace(/^ExitCalled: /, '');
      default:
        return `uncaught: ${errorText(error)}`;
    }
  }
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
