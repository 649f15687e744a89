import { AssayError } from '../../errors.js';
import { fieldHint, isField, parseCondition } from './condition.js';

/** What texts are searched for, folded: all words must occur, none of the others may. */
export interface SearchWords {
  readonly words: readonly string[];
  readonly without: readonly string[];
}

/** What stands in a line of search: conditions, and the rest as the text of {@link parseSearch}. */
export interface SearchLine {
  readonly conditions: readonly string[];
  readonly search: string;
  /** What looks like a condition and is none, so that it is searched for as text. */
  readonly problems: readonly string[];
}

const operator = '!=|!~|>=|<=|[=~<>:]';
const condition = new RegExp(
  `((?:[^\\s"=~<>!:]|\\["(?:[^"\\\\]|\\\\.)*"\\])+)(${operator})("[^"]*"|\\S*)`,
  'y',
);
const phrase = /-?"[^"]*(?:"|$)/y;
const word = /\S+/y;

/**
 * Words, `"several words"`, and `-word` or `-"several words"` for what must not occur. A minus before anything but a letter,
 * and a quote within a word, stand for themselves.
 */
export function parseSearch(text: string): SearchWords {
  const words: string[] = [];
  const without: string[] = [];
  for (const token of tokensOf(text, [phrase, word])) {
    const isExcluded = /^-["\p{L}]/u.test(token);
    const own = isExcluded ? token.slice(1) : token;
    const found = foldText(own.startsWith('"') ? own.replace(/^"|"$/g, '') : own);
    if (found !== '') (isExcluded ? without : words).push(found);
  }
  return { words, without };
}

/** Splits a line of search. What is in quotes is never a condition. */
export function parseSearchLine(text: string): SearchLine {
  const conditions: string[] = [];
  const words: string[] = [];
  const problems: string[] = [];
  for (const token of tokensOf(text, [phrase, condition, word])) {
    const [, field = '', sign = '', value = ''] =
      new RegExp(condition.source, 's').exec(token) ?? [];
    if (field === '' || !token.startsWith(field)) {
      words.push(token);
      continue;
    }
    const wanted = `${field}${sign === ':' ? '=' : sign}${unquoted(value)}`;
    const problem = sign === ':' || !isField(field) ? fieldHint(field, wanted) : whyBad(wanted);
    if (problem !== undefined) problems.push(`${token}: ${problem}`);
    const isCondition = problem === undefined && sign !== ':' && isField(field);
    (isCondition ? conditions : words).push(isCondition ? wanted : token);
  }
  return { conditions, search: words.join(' '), problems };
}

function* tokensOf(text: string, kinds: readonly RegExp[]): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const found = kinds.map((kind) => matchAt(kind, text, at)).find((one) => one !== undefined);
    if (found !== undefined) yield found;
    at += found?.length ?? 1;
  }
}

function matchAt(kind: RegExp, text: string, at: number): string | undefined {
  kind.lastIndex = at;
  return kind.exec(text)?.[0];
}

function unquoted(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1) : value;
}

function whyBad(text: string): string | undefined {
  try {
    parseCondition(text);
    return undefined;
  } catch (error) {
    if (error instanceof AssayError) return error.message;
    throw error;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are taken out
const controls = /[\0-\x08\x0e-\x1f]/g;

/**
 * Folds a text, so that texts become equal that differ in case, or in how Unicode composes their letters. Control characters
 * other than white space become U+FFFD.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase().normalize().replace(controls, '\ufffd');
  // The only letter whose lower case depends on the next letter.
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}
