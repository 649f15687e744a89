import type { CaseOptions, Cases } from '../case.js';
import type { EvalContext, TargetContext } from '../context.js';
import type { Evaluator, MaybePromise } from '../evaluator.js';
import type { AnyParams, MergedParams } from '../params.js';

/** Outputs that are read to the end: streams, async iterables and responses of `fetch`. */
type Streamed =
  | AsyncIterable<unknown>
  | { getReader(): unknown }
  | { readonly bodyUsed: boolean; text(): Promise<string> };

/**
 * The type of the output: the return type of the target. Unknown if it returns nothing and sets `ctx.output`, and for a
 * stream, which becomes a string or a list of its chunks.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement returns void
export type OutputOf<Returned> = [Returned] extends [void | Streamed]
  ? // biome-ignore lint/suspicious/noExplicitAny: nothing is known of an output set by hand, or of what a stream holds
    any
  : Exclude<Returned, void>;

/** Options of one evaluation. Write `cases` before `target` before `evaluators`: types flow in that order. */
export interface EvaluationOptions<
  Input,
  Returned,
  Reference,
  Params = AnyParams,
  SharedParams = AnyParams,
> extends CaseOptions<Input, Reference> {
  /** 1 to 200 printable characters. Default: the name under which it is exported. */
  name?: string | undefined;
  /**
   * Defaults of what a run can vary, such as `{ model: 'large', temperature: 0.2 }`: JSON by name. A run config and
   * `--param model=swift` replace them, value by value; target, body and evaluators read what is in effect as
   * `ctx.params`, with the types of the defaults. Default: none.
   */
  params?: Params | undefined;
  /** The data to evaluate on. Default: one case with the evaluation's own `input` and `reference`. */
  cases?: Cases<Input, Reference> | undefined;
  /** Runs the system under test; returns the output or sets `ctx.output`. It makes results regradable. */
  target?:
    | ((
        ctx: TargetContext<Input, Reference, MergedParams<SharedParams, NoInfer<Params>>>,
      ) => MaybePromise<Returned>)
    | undefined;
  /**
   * Removes changing parts (dates, ids, temporary paths) from a copy of the JSON body of a request and returns the rest,
   * by which recordings are found. Default: the whole body.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the body of a request of any API
  normalize?: ((body: any) => unknown) | undefined;
  /**
   * Globs of files of the project, relative to the working directory, that results depend on where assay cannot see it:
   * programs and data of a process that the target starts, databases, native code. `--changed` takes over results of
   * such targets only with them. A glob that matches no file is an error. Default: none.
   */
  inputs?: readonly string[] | undefined;
  /**
   * The key of metadata that names what several cases share, such as the `document` they ask about. Cases with the same
   * value, in all evaluations of a run that name this key, are one unit for intervals and for the gate against
   * regressions, because what makes one of them fail is likely to fail the others (clustered standard errors: Miller
   * 2024, "Adding Error Bars to Evals", arXiv:2411.00640, section 2.2). The value is text, a number or a boolean; a case
   * without it is an error. Default: cases are independent.
   */
  cluster?: string | undefined;
  /**
   * The texts by which people label results, by score key: `{ correctness: 'Every amount and date is right.' }`. Default:
   * those of the setting `rubrics`, else the text of a judge with this key.
   */
  rubrics?: Readonly<Record<string, string>> | undefined;
  /** Grade the output, after the body, each on its own. Default: none. */
  evaluators?:
    | readonly Evaluator<
        Input,
        OutputOf<NoInfer<Returned>>,
        Reference,
        MergedParams<SharedParams, NoInfer<Params>>
      >[]
    | undefined;
}

/** Grades with assertions and `ctx.score`; without a target it sets `ctx.output` too. What it returns is ignored. */
export type Body<Input, Returned, Reference, Params = AnyParams> = (
  ctx: EvalContext<Input, OutputOf<Returned>, Reference, Params>,
) => unknown;

/** Options that evaluations can share; see `evaluation.extend`. */
export interface EvaluationDefaults<Input, Reference, Params = AnyParams>
  extends CaseOptions<Input, Reference> {
  /** See {@link EvaluationOptions.params}; an evaluation's own are merged over them. */
  params?: Params | undefined;
  /** See {@link EvaluationOptions.normalize}. */
  // biome-ignore lint/suspicious/noExplicitAny: the body of a request of any API
  normalize?: ((body: any) => unknown) | undefined;
  /** See {@link EvaluationOptions.inputs}. */
  inputs?: readonly string[] | undefined;
  /** See {@link EvaluationOptions.cluster}. */
  cluster?: string | undefined;
  /** See {@link EvaluationOptions.rubrics}; an evaluation's own are merged over them. */
  rubrics?: Readonly<Record<string, string>> | undefined;
  /** Run before the evaluation's own. */
  evaluators?:
    | // biome-ignore lint/suspicious/noExplicitAny: shared evaluators meet outputs of many types
    readonly Evaluator<any, any, any, any>[]
    | undefined;
}
