import { captureCallSite } from './call-site.js';
import { type Definition, type Evaluation, evaluationBrand } from './definition.js';
import { nextOrder } from './definition-order.js';
import { describeValue } from './describe-value.js';
import type { Body, EvaluationDefaults, EvaluationOptions } from './options/evaluation-options.js';
import { mergeDefaults } from './options/merge-options.js';
import { OptionProblem } from './options/option-problem.js';
import { type ParsedOptions, parseOptions, type UserFunction } from './options/parse-options.js';
import type { AnyParams, MergedParams, ParamDefaults } from './params.js';

/** Makes evaluations, see {@link evaluation}. */
export interface Evaluate<
  SharedInput = undefined,
  SharedReference = undefined,
  SharedParams = AnyParams,
> {
  /**
   * Describes one evaluation. Nothing runs and nothing is registered: export the value, `assay run` finds it.
   * All options are checked here but `cases`, which are read when evaluations are discovered.
   * @throws {TypeError} naming the option and the value received
   */
  <
    Input = SharedInput,
    Reference = SharedReference,
    // biome-ignore lint/suspicious/noExplicitAny: without a target nothing is known of the output
    Returned = any,
    Params extends ParamDefaults = AnyParams,
  >(
    options: EvaluationOptions<Input, Returned, Reference, Params, SharedParams>,
    body?: Body<Input, Returned, Reference, MergedParams<SharedParams, Params>>,
  ): Evaluation;
  /**
   * An `evaluation` with options that all its evaluations share: any but `name`, `cases` and `target`. An evaluation's
   * own options win; labels add up, metadata, params and rules of scores merge, and shared evaluators run before its own.
   */
  extend<
    Input = SharedInput,
    Reference = SharedReference,
    Params extends ParamDefaults = AnyParams,
  >(
    defaults: EvaluationDefaults<Input, Reference, Params>,
  ): Evaluate<Input, Reference, MergedParams<SharedParams, Params>>;
}

/**
 * Describes one evaluation: which cases, what to run on them, how to grade the outputs.
 *
 * ```ts
 * export const refund = evaluation({
 *   cases: [{ id: 'polite', input: 'I would like a refund, please' }],
 *   target: (ctx) => supportAgent(ctx.input),
 * }, (ctx) => {
 *   assert.match(ctx.output, /refund/i);
 * });
 * ```
 */
export const evaluation: Evaluate = evaluationWith({});

function evaluationWith(defaults: ParsedOptions): Evaluate {
  function define(options: unknown, body?: unknown): Evaluation {
    const site = captureCallSite(define);
    const parsed = explained(() => parseArguments(options, body), nameOf(options), define);
    return freeze({ ...mergeDefaults(defaults, parsed) }, body as UserFunction | undefined, site);
  }
  function extend(options: unknown): Evaluate {
    const parsed = explained(() => parseOptions(options, 'defaults'), 'evaluation.extend', extend);
    return evaluationWith(mergeDefaults(defaults, parsed));
  }
  // The implementation takes anything and checks it; the types are for those who call it.
  return Object.assign(define, { extend }) as unknown as Evaluate;
}

function parseArguments(options: unknown, body: unknown): ParsedOptions {
  if (typeof options === 'string' || typeof options === 'function') {
    const shape = 'evaluation({ name: "refund", … }, (ctx) => { … })';
    throw new OptionProblem(`the first argument must be an object of options: ${shape}`);
  }
  if (body !== undefined && typeof body !== 'function') {
    throw new OptionProblem(`the body must be a function, not ${describeValue(body)}`);
  }
  return parseOptions(options, 'evaluation');
}

function freeze(
  options: ParsedOptions,
  body: UserFunction | undefined,
  site: ReturnType<typeof captureCallSite>,
): Evaluation {
  const data: Definition = Object.freeze({
    ...options,
    labels: Object.freeze(options.labels ?? []),
    metadata: Object.freeze(options.metadata ?? {}),
    evaluators: Object.freeze(options.evaluators ?? []),
    ...(body !== undefined && { body }),
    format: 1,
    order: nextOrder(),
    get position() {
      return site();
    },
  } as const);
  return Object.freeze({ name: options.name, [evaluationBrand]: data });
}

function nameOf(options: unknown): string {
  const name = (options as { name?: unknown } | null | undefined)?.name;
  // A function has a name of its own, which is not the evaluation's.
  const isNamed = typeof options === 'object' && typeof name === 'string' && name !== '';
  return isNamed ? `evaluation ${describeValue(name)}` : 'evaluation()';
}

function explained<T>(parse: () => T, subject: string, callee: unknown): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof OptionProblem)) throw error;
    const explanation = new TypeError(`${subject}: ${error.message}`);
    // The stack then starts at the line that the user has to change.
    Error.captureStackTrace(explanation, callee as () => void);
    throw explanation;
  }
}
