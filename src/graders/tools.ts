import type { Evaluator } from '../authoring/evaluator.js';
import { hasFailed, seesAllCalls } from '../model/calls/known-usage.js';
import type { Call, ToolCall } from '../model/calls/model-call.js';
import type { Json } from '../model/json.js';
import { demand, demandOptions, oneOfThese, type Rule } from './check.js';
import { firstDifference } from './difference.js';
import { type GraderOptions, grader, shown } from './grader.js';

/** A wanted tool call: a name, or a name with arguments. */
export type WantedTool = string | { readonly name: string; readonly args: Json };

/** What {@link tools} takes. */
export interface ToolsOptions extends GraderOptions {
  /**
   * `exact`: these calls in this order, and no others. `subset`: these in this order, and others may stand between them.
   * `any`: these in any order, and there may be others. Default: `exact`.
   */
  readonly order?: 'exact' | 'subset' | 'any' | undefined;
  /** `subset`: arguments that are not named may be anything. `exact`: there are no others. Default: `subset`. */
  readonly args?: 'subset' | 'exact' | undefined;
}

/**
 * Passes when the models asked for these tool calls. The value is the share of the wanted calls that were made, in order where it
 * counts; 1 if none is wanted. Notes show wanted and made calls. No score where a call may not have been seen, or its texts were not
 * stored, unless the calls that were seen are enough.
 */
export function tools(wanted: readonly WantedTool[], given: ToolsOptions = {}): Evaluator {
  demand('what tools takes', wanted, toolList);
  demandOptions('tools', given, {
    order: oneOfThese('exact', 'subset', 'any'),
    args: oneOfThese('subset', 'exact'),
  });
  const { order = 'exact', args = 'subset', ...options } = given;
  return grader('tools', options, ({ toolCalls, modelCalls, usage }) => {
    const fits = (want: WantedTool, call: ToolCall) => isWanted(want, call, args);
    const found =
      order === 'any' ? mostPairs(wanted, toolCalls, fits) : inOrder(wanted, toolCalls, fits);
    const passed =
      found === wanted.length && (order !== 'exact' || toolCalls.length === wanted.length);
    const areKnown = seesAllCalls(usage) && !modelCalls.some(lacksTexts);
    // Another call changes nothing where others may be.
    if (!areKnown && !(passed && order !== 'exact')) return undefined;
    const value = wanted.length === 0 ? 1 : found / wanted.length;
    return { passed, value, ...(!passed && { notes: difference(wanted, toolCalls) }) };
  });
}

const toolList: Rule = {
  fits: (value) => Array.isArray(value) && value.every(isTool),
  wanted: 'a list of names, or of { name, args }',
};

function isTool(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  const { name, args, ...others } = (value ?? {}) as { readonly [field: string]: unknown };
  const isWhole = typeof name === 'string' && name !== '' && args !== undefined;
  return isWhole && Object.keys(others).length === 0;
}

/** True for a call of a model that may ask for tools, of which only numbers were stored. */
function lacksTexts(call: Call): boolean {
  const { operation = '', messages, answer, tool_calls: asked } = call.model_call ?? {};
  const hasTexts = messages !== undefined || answer !== undefined || asked !== undefined;
  return /^(chat|generate_content)$/.test(operation) && !hasTexts && !hasFailed(call);
}

type Fits = (want: WantedTool, call: ToolCall) => boolean;

function isWanted(want: WantedTool, call: ToolCall, args: ToolsOptions['args']): boolean {
  if (typeof want === 'string') return want === call.name;
  return want.name === call.name && areArguments(call.arguments, want.args, args === 'exact');
}

/** True for equal arguments; unless they must be all, only those that are named are compared. */
function areArguments(got: Json, wanted: Json, areAll: boolean): boolean {
  if (!areAll && isObject(got) && isObject(wanted)) {
    return Object.entries(wanted).every(
      ([key, value]) =>
        Object.hasOwn(got, key) && firstDifference(got[key], value, {}) === undefined,
    );
  }
  return firstDifference(got, wanted, {}) === undefined;
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many of the wanted calls were made in their order: the longest common subsequence. */
function inOrder(wanted: readonly WantedTool[], calls: readonly ToolCall[], fits: Fits): number {
  let before = new Array<number>(calls.length + 1).fill(0);
  for (const want of wanted) {
    const now = [0];
    for (const [i, call] of calls.entries()) {
      const skipped = Math.max(before[i + 1] ?? 0, now[i] ?? 0);
      now.push(fits(want, call) ? Math.max(skipped, (before[i] ?? 0) + 1) : skipped);
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}

/** How many of the wanted calls have a call of their own: a maximum matching (Kuhn 1955). */
function mostPairs(wanted: readonly WantedTool[], calls: readonly ToolCall[], fits: Fits): number {
  const taken = new Map<ToolCall, WantedTool>();
  const place = (want: WantedTool, tried: Set<ToolCall>): boolean =>
    calls.some((call) => {
      if (tried.has(call) || !fits(want, call)) return false;
      tried.add(call);
      const holder = taken.get(call);
      if (holder !== undefined && !place(holder, tried)) return false;
      taken.set(call, want);
      return true;
    });
  return wanted.filter((want) => place(want, new Set())).length;
}

function difference(wanted: readonly WantedTool[], calls: readonly ToolCall[]): string {
  const withArgs = new Set(wanted.flatMap((want) => (typeof want === 'string' ? [] : [want.name])));
  const texts = wanted.map((want) =>
    typeof want === 'string' ? want : `${want.name}(${shown(want.args)})`,
  );
  const made = calls.map((call) =>
    withArgs.has(call.name) ? `${call.name}(${shown(call.arguments)})` : call.name,
  );
  return `wanted ${listed(texts)}, got ${listed(made)}`;
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? 'no tool calls' : texts.join(' → ');
}
