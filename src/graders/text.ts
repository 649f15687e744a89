import { createRequire } from 'node:module';
import { isRegExp } from 'node:util/types';
import type { Evaluator } from '../authoring/evaluator.js';
import { aFlag, aShare, aText, demand, demandOptions, maybe, type Rule } from './check.js';
import { wantedOf } from './equality.js';
import { type GraderOptions, grader, shown, splitOptions, textOf, verdict } from './grader.js';

/** What graders of text take. */
export interface TextOptions extends GraderOptions {
  /** Compares without regard to upper and lower case, and to how accents are encoded. Default: false. */
  readonly ignoreCase?: boolean | undefined;
}

/** Texts, and options at the end. */
type Texts = readonly string[] | readonly [...string[], TextOptions];

type OnlyOptions = readonly [] | readonly [TextOptions];

/** Grades any output that is a text. */
type OfText = Evaluator<unknown, string, unknown>;
/** Compares it with the reference. */
type WithReference = Evaluator<unknown, string, string>;
type WithReferences = Evaluator<unknown, string, string | readonly string[]>;

/** Passes when the output contains all these texts; without texts, the reference (a text, or a list of texts). */
export function contains(...options: OnlyOptions): WithReferences;
export function contains(...given: Texts): OfText;
export function contains(...given: Texts): OfText {
  return searched('contains', given, (found, texts) => {
    const missing = texts.filter((text) => !found(text));
    return verdict(missing.length === 0, () => `lacks ${missing.map(shown).join(', ')}`);
  });
}

/** Passes when the output contains at least one of these texts; without texts, of the reference. */
export function containsAny(...options: OnlyOptions): WithReferences;
export function containsAny(...given: Texts): OfText;
export function containsAny(...given: Texts): OfText {
  return searched('containsAny', given, (found, texts) =>
    verdict(texts.some(found), () => `has none of ${texts.map(shown).join(', ')}`),
  );
}

/** Passes when the output contains none of these texts; without texts, of the reference. */
export function excludes(...options: OnlyOptions): WithReferences;
export function excludes(...given: Texts): OfText;
export function excludes(...given: Texts): OfText {
  return searched('excludes', given, (found, texts) => {
    const there = texts.filter(found);
    return verdict(there.length === 0, () => `has ${there.map(shown).join(', ')}`);
  });
}

/** Passes when the output starts with this text, or with the reference where none is given (`undefined`). */
export function startsWith(text: string, given?: TextOptions): OfText;
export function startsWith(text?: string, given?: TextOptions): WithReference;
export function startsWith(text?: string, given: TextOptions = {}): OfText {
  demand('what startsWith takes', text, maybe(aText));
  demandOptions('startsWith', given, textRules);
  const { ignoreCase, ...options } = given;
  if (text !== undefined) demandSomething('startsWith', [text]);
  return grader('startsWith', options, (args) => {
    const wanted = textOf(wantedOf('startsWith', text, args), 'startsWith', 'the reference');
    const output = textOf(args.output, 'startsWith');
    demandSomething('startsWith', [wanted]);
    return verdict(
      output.startsWith(wanted) || (ignoreCase && fold(output).startsWith(fold(wanted))) === true,
      () =>
        `wanted ${shown(wanted)} at the start, got ${shown(output.slice(0, wanted.length + 20))}`,
    );
  });
}

/** Passes when the expression matches somewhere in the output; with the flag `y`, at its start. */
export function matches(
  expression: RegExp,
  options: GraderOptions = {},
): Evaluator<unknown, string, unknown> {
  demand('what matches takes', expression, anExpression);
  demandOptions('matches', options);
  const { source, flags } = expression;
  return grader('matches', options, ({ output }) => {
    // Its own for each output: with `g` or `y`, the place of the last match would decide.
    const own = new RegExp(source, flags);
    return verdict(own.test(textOf(output, 'matches')), () => `does not match ${expression}`);
  });
}

function searched(
  name: string,
  given: Texts,
  grade: (found: (text: string) => boolean, texts: readonly string[]) => ReturnType<typeof verdict>,
): Evaluator<unknown, string, unknown> {
  const { values, options = {} } = splitOptions<string, TextOptions>(name, given, {
    value: aText,
    rules: textRules,
  });
  if (values.length > 0) demandSomething(name, values);
  return grader(name, options, (args) => {
    const wanted = wantedOf(name, values.length === 0 ? undefined : values, args);
    const texts = (Array.isArray(wanted) ? Array.from<unknown>(wanted) : [wanted]).map((text) =>
      textOf(text, name, 'the reference'),
    );
    demandSomething(name, texts);
    const output = textOf(args.output, name);
    const foldedOutput = options.ignoreCase ? fold(output) : undefined;
    const isFound = (text: string) =>
      output.includes(text) || foldedOutput?.includes(fold(text)) === true;
    return grade(isFound, texts);
  });
}

const textRules = { ignoreCase: aFlag };
const anExpression: Rule = { fits: isRegExp, wanted: 'a regular expression' };

/** @throws {TypeError} where every output would do, or none */
function demandSomething(name: string, texts: readonly string[]): void {
  if (texts.length > 0 && !texts.includes('')) return;
  const what = texts.length === 0 ? 'an empty list' : 'an empty text';
  throw new TypeError(`${name} has nothing to look for, but ${what}`);
}

/**
 * A text that is the same for texts that differ only in upper and lower case, by the mappings of Unicode (ß is ss, ς is σ, İ is i), or
 * in how accents are encoded.
 */
function fold(text: string): string {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // What the place in a word decides, and what is left of İ.
      .replaceAll('ς', 'σ')
      .replaceAll('i\u0307', 'i')
  );
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
export function similar(text: string, given?: SimilarOptions): OfText;
export function similar(text?: string, given?: SimilarOptions): WithReference;
export function similar(text?: string, given: SimilarOptions = {}): OfText {
  demand('what similar takes', text, maybe(aText));
  demandOptions('similar', given, { ...textRules, min: aShare });
  const { min = 0.8, ignoreCase, ...options } = given;
  return grader('similar', options, (args) => {
    const wanted = textOf(wantedOf('similar', text, args), 'similar', 'the reference');
    const output = textOf(args.output, 'similar');
    const exact = similarity(wanted, output);
    const value = ignoreCase ? Math.max(exact, similarity(fold(wanted), fold(output))) : exact;
    const passed = value >= min;
    return {
      passed,
      value,
      ...(!passed && { notes: `wanted at least ${min} of ${shown(wanted)}` }),
    };
  });
}

function similarity(one: string, two: string): number {
  const longest = Math.max(one.length, two.length);
  return longest === 0 ? 1 : 1 - levenshtein().distance(one, two) / longest;
}

/** Loaded for the first text that needs it. */
function levenshtein(): typeof import('fastest-levenshtein') {
  return createRequire(import.meta.url)('fastest-levenshtein');
}
