import { unseenIn } from '../../text/usage-text.js';
import type { Call, TokenUsage } from './model-call.js';

/** Numbers of what may have made calls that are not seen. */
type Unseen = Parameters<typeof unseenIn>[0];

interface Counts extends TokenUsage, Unseen {
  readonly calls: number;
  readonly failed?: number;
  readonly without_tokens?: number;
  readonly unknown_calls?: number;
}

/** True where no model was called, as far as is known. */
export function isUnused(totals: Unseen & { readonly calls: number }): boolean {
  return totals.calls === 0 && unseenIn(totals) === 0;
}

/** True where every call of a model is seen and understood. */
export function seesAllCalls({
  unknown_calls: unknown = 0,
  ...totals
}: Unseen & { readonly unknown_calls?: number }): boolean {
  return unknown + unseenIn(totals) === 0;
}

/** Number of calls, and of what may have made some unseen, whose tokens are not known. */
export function unknownTokens(totals: Counts): number {
  const { calls, failed = 0, input, output, searches } = totals;
  const { without_tokens: without = 0, unknown_calls: unknown = 0 } = totals;
  const count = without + unknown + unseenIn(totals);
  if (count > 0) return count;
  // Runs of older versions did not count them.
  const isOlder = input === undefined && output === undefined && searches === undefined;
  return isOlder ? calls - failed : 0;
}

/** All tokens of calls, input and output; `undefined` where no provider said any. */
export function tokensOf({ input, output }: TokenUsage): number | undefined {
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}

/** The same; also `undefined` where some calls did not report theirs. */
export function allTokensOf(usage: Counts): number | undefined {
  return unknownTokens(usage) > 0 ? undefined : tokensOf(usage);
}

/** True for a call that got an error, or no answer. */
export function hasFailed({
  status = 0,
  error,
  model_call,
}: Partial<Pick<Call, 'status' | 'error'>> & {
  readonly model_call?: { readonly error?: unknown };
}): boolean {
  return status >= 400 || error !== undefined || model_call?.error !== undefined;
}

/** The models that the evaluator of a score called; `undefined` if it called none, as far as is known. */
export function judgeModelsOf(
  {
    usage,
  }: {
    readonly usage?:
      | { readonly judge_models?: { readonly [evaluator: string]: readonly string[] } }
      | undefined;
  },
  key: string,
): readonly string[] | undefined {
  const { judge_models: models } = usage ?? {};
  return models !== undefined && Object.hasOwn(models, key) ? models[key] : undefined;
}
