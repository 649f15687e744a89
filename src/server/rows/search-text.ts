import type { Json, ResultEntry } from '../../model/result.js';

/** Folds case: texts that differ only in case become equal. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  // The only letter whose lower case depends on the next letter.
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}

/** The searched texts of a result, not case-folded, without empty ones. */
export function searchTexts({ function: name, result }: ResultEntry): string[] {
  const texts = [name];
  for (const value of [result.input, result.output, result.reference]) addTexts(texts, value);
  if (result.error !== null) texts.push(result.error);
  texts.push(result.annotation);
  return texts.filter((text) => text !== '');
}

/** A structure is searched as compact JSON; strings that JSON escapes are also searched unescaped. */
function addTexts(texts: string[], value: Json): void {
  if (value === null) return;
  if (typeof value === 'string') {
    texts.push(value);
    return;
  }
  const json = compact(value);
  if (json === undefined) {
    addLeaves(texts, value, () => true);
    return;
  }
  texts.push(json);
  if (json.includes('\\')) addLeaves(texts, value, (text) => escaped.test(text));
}

/** Compact JSON; `undefined` if the value is nested too deep. */
function compact(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The keys and single values that satisfy a condition, unescaped. */
function addLeaves(texts: string[], value: Json, isWanted: (text: string) => boolean): void {
  const add = (text: string) => {
    if (isWanted(text)) texts.push(text);
  };
  // Uses its own stack, because imported values may be nested deeper than the call stack allows.
  const open: Json[] = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item !== 'object' || item === null) {
      add(String(item));
      continue;
    }
    for (const [key, inner] of Object.entries(item)) {
      if (!Array.isArray(item)) add(key);
      open.push(inner);
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON writes in another way
const escaped = /["\\\u0000-\u001f]/;
