import type { EvalContext } from '../../authoring/context.js';
import { evaluatorNames, gradeToScores } from '../../authoring/grades/grade-to-scores.js';
import type { UserFunction } from '../../authoring/options/parse-options.js';
import type { CallRole } from '../../model/calls/model-call.js';
import type { Score } from '../../model/scores/score.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import { shortHash } from '../../text/short-hash.js';
import { exactText } from '../../values/exact-text.js';
import { isEmptyPlain, readField } from '../../values/inspect-value.js';
import { errorText } from '../thrown.js';
import { type Attempt, currentScope, type Scope } from './attempt.js';
import { runCoroutine, type Steps } from './run-coroutine.js';

interface Grader {
  readonly evaluator: UserFunction;
  readonly name: string;
  readonly role: CallRole;
}

/** What evaluators have given, by evaluator; nothing for failed ones. */
interface Grades {
  readonly scores: readonly (readonly Score[])[];
  readonly failures: readonly { readonly text: string; readonly thrown: unknown }[];
}

/** Runs the evaluators of an attempt, all at the same time. */
export function* gradeBy(
  evaluators: readonly UserFunction[],
  rules: ScoreRules | undefined,
  args: unknown,
  attempt: Attempt,
): Steps<Grades> {
  const grades: MadeGrades = { scores: [], failures: [] };
  const waiting: Promise<void>[] = [];
  const graders = gradersOf(evaluators);
  for (const [position, grader] of graders.entries()) {
    const scope: Scope = { caller: attempt, role: grader.role };
    const work = runCoroutine(grade(grader, position, { scope, args, rules, grades }));
    if (work !== undefined) waiting.push(work);
  }
  if (waiting.length > 0) yield Promise.all(waiting);
  refuseTwins(graders, grades);
  return grades;
}

/** A score must not hide that of another evaluator, which may have failed: who gives it again has failed instead. */
function refuseTwins(graders: readonly Grader[], { scores, failures }: MadeGrades): void {
  const givers = new Map<string, Grader>();
  for (const [position, grader] of graders.entries()) {
    const own = scores[position] ?? [];
    const twin = own.find(({ key }) => (givers.get(key) ?? grader).evaluator !== grader.evaluator);
    if (twin === undefined) {
      for (const { key } of own) givers.set(key, grader);
      continue;
    }
    const key = JSON.stringify(twin.key);
    const thrown = new TypeError(
      `gave the score ${key}, as evaluator ${givers.get(twin.key)?.name} did; give each its own key`,
    );
    failures.push({ text: `evaluator ${grader.name}: ${thrown.message}`, thrown });
    scores[position] = [];
  }
}

interface MadeGrades extends Grades {
  readonly scores: Score[][];
  readonly failures: { readonly text: string; readonly thrown: unknown }[];
}

interface Graded {
  readonly scope: Scope;
  readonly args: unknown;
  readonly rules: ScoreRules | undefined;
  readonly grades: MadeGrades;
}

function* grade(
  { evaluator, name }: Grader,
  position: number,
  { scope, args, rules, grades }: Graded,
): Steps<void> {
  const { scores, failures } = grades;
  scores[position] = [];
  try {
    const given = yield currentScope.run(scope, evaluator, args);
    const graded = gradeToScores(given, name, position, rules);
    const rubric_version = versionOf(evaluator);
    scores[position] =
      rubric_version === undefined ? graded : graded.map((score) => ({ ...score, rubric_version }));
  } catch (error) {
    failures.push({ text: `evaluator ${name}: ${errorText(error)}`, thrown: error });
  }
}

/** True for a `rubric(…)` of `assay/graders`, of whichever copy of the package. */
export function isJudge(
  evaluator: UserFunction,
): evaluator is UserFunction & { readonly rubric: string; readonly version: string } {
  const { rubric } = evaluator as { readonly rubric?: unknown };
  return typeof rubric === 'string' && versionOf(evaluator) !== undefined;
}

/** The version of a judge of `assay/graders`, or of a combination with one. */
function versionOf(evaluator: UserFunction): string | undefined {
  const { version } = evaluator as { readonly version?: unknown };
  return typeof version === 'string' && /^[\da-f]{12}$/.test(version) ? version : undefined;
}

const knownGraders = new WeakMap<readonly UserFunction[], readonly Grader[]>();

/** Evaluations with many cases have one list of evaluators. */
function gradersOf(evaluators: readonly UserFunction[]): readonly Grader[] {
  const known = knownGraders.get(evaluators);
  if (known !== undefined) return known;
  const names = evaluatorNames(evaluators);
  const graders = evaluators.map((evaluator, position): Grader => {
    const name = names[position] ?? '';
    return { evaluator, name, role: `evaluator:${name}` };
  });
  knownGraders.set(evaluators, graders);
  return graders;
}

/** Tells whether grading the stored values again would see what grading saw after the target. */
export class GradedView {
  readonly #context: EvalContext;
  readonly #names: readonly string[];
  readonly #fields: readonly unknown[];
  readonly #paramsText: string | undefined;
  readonly #authored: readonly Authored[];
  #output: unknown;
  #text: string | undefined;

  /** Made before the target runs, with the values of the case, of which the context may have copies. */
  constructor(context: EvalContext, of: { readonly [name in AuthoredName]: unknown }) {
    this.#context = context;
    this.#authored = authoredNames.map((name) => {
      const value = context[name];
      const text = isObject(value) ? firstTextOf(value, of[name] as object) : undefined;
      return { name, value, text };
    });
    this.#names = Object.keys(context);
    this.#fields = Object.values(context);
    this.#paramsText = firstTextOf(context.params, context.params);
  }

  /** Call this when the target has finished: grading begins. */
  begin(): void {
    if (!this.#hasSameFields() || this.#paramsText !== textOf(this.#context.params)) return;
    this.#output = this.#context.output;
    this.#text = this.#values();
  }

  /** What a target keeps on its context is not stored. */
  #hasSameFields(): boolean {
    try {
      const names = Reflect.ownKeys(this.#context);
      if (names.length !== this.#names.length) return false;
      const fields = Object.values(this.#context);
      for (let at = 0; at < names.length; at += 1) {
        if (names[at] !== this.#names[at]) return false;
        if (names[at] !== 'output' && !Object.is(fields[at], this.#fields[at])) return false;
      }
      return true;
    } catch {
      // The context may have got a getter that throws.
      return false;
    }
  }

  /** True if what is there now, and will be stored, is what grading began with. */
  isUnchanged(): boolean {
    if (this.#text === undefined) return false;
    return this.#values() === this.#text && this.#hasOutput(this.#output) && this.#isAsAuthored();
  }

  /** Grading again sees the values of the case as they were before the target. */
  #isAsAuthored(): boolean {
    return this.#authored.every(({ name, value, text }) => {
      const now = readField(this.#context, name);
      return isObject(value) ? text !== undefined && text === textOf(now) : Object.is(now, value);
    });
  }

  #hasOutput(before: unknown): boolean {
    const { output } = this.#context;
    return typeof output === 'object' || Object.is(output, before);
  }

  /** `undefined` if they cannot be told apart from others. */
  #values(): string | undefined {
    try {
      const { output, metadata, traceData } = this.#context;
      // Other outputs are compared as they are: texts may be large.
      const made = typeof output === 'object' ? textOf(output) : '';
      const about = textOf(metadata);
      const traced = textOf(traceData);
      if (made === undefined || about === undefined || traced === undefined) return undefined;
      return `${made}\n${about}\n${traced}`;
    } catch {
      // The context may have got a getter that throws.
      return undefined;
    }
  }
}

const authoredNames = ['input', 'reference'] as const;
type AuthoredName = (typeof authoredNames)[number];

interface Authored {
  readonly name: AuthoredName;
  readonly value: unknown;
  /** Of an object, before any attempt; `undefined` if it cannot be told apart from others. */
  readonly text: string | undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const longText = 1000;

function textOf(value: unknown): string | undefined {
  const text = isEmptyPlain(value) ? '{}' : exactText(value);
  return text !== undefined && text.length > longText ? shortHash(text) : text;
}

const firstTexts = new WeakMap<object, string | undefined>();

/** The text of what attempts share, or have copies of, before the first of them. `of`: what they share. */
function firstTextOf(value: object, of: object): string | undefined {
  if (!firstTexts.has(of)) firstTexts.set(of, textOf(value));
  return firstTexts.get(of);
}
