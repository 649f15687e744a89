import { createRequire } from 'node:module';
import type { Evaluator } from '../authoring/evaluator.js';
import { wantedOf } from './equality.js';
import { type GraderOptions, grader, shown, splitOptions, textOf, verdict } from './grader.js';

/** What graders of text take. */
export interface TextOptions extends GraderOptions {
  /** Compares without regard to upper and lower case. Default: false. */
  readonly ignoreCase?: boolean | undefined;
}

/** Texts, and options at the end. */
type Texts = readonly string[] | readonly [...string[], TextOptions];

/** Passes when the output contains all these texts; without texts, the reference (a text, or a list of texts). */
export function contains(...given: Texts): Evaluator<unknown, string, unknown> {
  return searched('contains', given, (found, texts) => {
    const missing = texts.filter((text) => !found(text));
    return verdict(missing.length === 0, () => `lacks ${missing.map(shown).join(', ')}`);
  });
}

/** Passes when the output contains at least one of these texts; without texts, of the reference. */
export function containsAny(...given: Texts): Evaluator<unknown, string, unknown> {
  return searched('containsAny', given, (found, texts) =>
    verdict(texts.some(found), () => `has none of ${texts.map(shown).join(', ')}`),
  );
}

/** Passes when the output contains none of these texts; without texts, of the reference. */
export function excludes(...given: Texts): Evaluator<unknown, string, unknown> {
  return searched('excludes', given, (found, texts) => {
    const there = texts.filter(found);
    return verdict(there.length === 0, () => `has ${there.map(shown).join(', ')}`);
  });
}

/** Passes when the output starts with this text, or with the reference where none is given (`undefined`). */
export function startsWith(
  text?: string,
  { ignoreCase, ...options }: TextOptions = {},
): Evaluator<unknown, string, unknown> {
  return grader('startsWith', options, (args) => {
    const fold = folded(ignoreCase);
    const wanted = textOf(wantedOf('startsWith', text, args), 'startsWith', 'the reference');
    const output = textOf(args.output, 'startsWith');
    return verdict(
      fold(output).startsWith(fold(wanted)),
      () =>
        `wanted ${shown(wanted)} at the start, got ${shown(output.slice(0, wanted.length + 20))}`,
    );
  });
}

/** Passes when the expression matches somewhere in the output. */
export function matches(
  expression: RegExp,
  options: GraderOptions = {},
): Evaluator<unknown, string, unknown> {
  // With `g` or `y`, the place of the last match would decide.
  const { source, flags } = expression;
  const own = new RegExp(source, flags.replaceAll(/[gy]/g, ''));
  return grader('matches', options, ({ output }) =>
    verdict(own.test(textOf(output, 'matches')), () => `does not match ${expression}`),
  );
}

function searched(
  name: string,
  given: Texts,
  grade: (found: (text: string) => boolean, texts: readonly string[]) => ReturnType<typeof verdict>,
): Evaluator<unknown, string, unknown> {
  const isText = (one: string | TextOptions): one is string => typeof one === 'string';
  const { values, options = {} } = splitOptions<string, TextOptions>(given, isText);
  const fold = folded(options.ignoreCase);
  return grader(name, options, (args) => {
    const wanted = wantedOf(name, values.length === 0 ? undefined : values, args);
    const texts = (Array.isArray(wanted) ? Array.from<unknown>(wanted) : [wanted]).map((text) =>
      textOf(text, name, 'the reference'),
    );
    const output = fold(textOf(args.output, name));
    return grade((text) => output.includes(fold(text)), texts);
  });
}

function folded(ignoreCase = false): (text: string) => string {
  return ignoreCase ? (text) => text.toLowerCase() : (text) => text;
}

/** What {@link similar} takes. */
export interface SimilarOptions extends TextOptions {
  /** The lowest similarity that passes, 0 to 1. Default: 0.8. */
  readonly min?: number | undefined;
}

/**
 * Passes when the output is nearly a text, or the reference where none is given (`undefined`). The value is 1 − d / n: d single
 * characters (UTF-16) must be added, removed or replaced (Levenshtein 1966), and n has the longer text. 1 for two empty texts.
 */
export function similar(
  text?: string,
  { min = 0.8, ignoreCase, ...options }: SimilarOptions = {},
): Evaluator<unknown, string, unknown> {
  const fold = folded(ignoreCase);
  return grader('similar', options, (args) => {
    const wanted = fold(textOf(wantedOf('similar', text, args), 'similar', 'the reference'));
    const output = fold(textOf(args.output, 'similar'));
    const longest = Math.max(wanted.length, output.length);
    const value = longest === 0 ? 1 : 1 - levenshtein().distance(wanted, output) / longest;
    const passed = value >= min;
    return {
      passed,
      value,
      ...(!passed && { notes: `wanted at least ${min} of ${shown(wanted)}` }),
    };
  });
}

/** Loaded for the first text that needs it. */
function levenshtein(): typeof import('fastest-levenshtein') {
  return createRequire(import.meta.url)('fastest-levenshtein');
}
