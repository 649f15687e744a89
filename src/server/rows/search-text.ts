import type { Json, ResultEntry } from '../../model/result.js';

/** The same text for texts that differ in case only. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  // The one letter whose small form depends on what follows it.
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}

/** The texts of a result in which a search looks: in any case, none of them empty. */
export function searchTexts({ function: name, result }: ResultEntry): string[] {
  const texts = [name];
  for (const value of [result.input, result.output, result.reference]) addTexts(texts, value);
  if (result.error !== null) texts.push(result.error);
  texts.push(result.annotation);
  return texts.filter((text) => text !== '');
}

/** A structure is looked through as compact JSON; what JSON escapes in it also as it reads. */
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

/** Compact JSON; `undefined` for what is nested too deep to be written. */
function compact(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Keys and single values that are wanted, as they read. */
function addLeaves(texts: string[], value: Json, isWanted: (text: string) => boolean): void {
  const add = (text: string) => {
    if (isWanted(text)) texts.push(text);
  };
  // A stack of our own: imported values may be nested deeper than calls can be.
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
