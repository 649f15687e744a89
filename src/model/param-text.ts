import type { Json, JsonObject } from './json.js';

const longestValue = 30;

/** `model=swift temperature=0.2`: params by name, long values cut; `paint` is given the text and the name of each. */
export function renderParams(
  params: JsonObject,
  paint: (text: string, name: string) => string = (text) => text,
): string {
  return Object.entries(params)
    .map(([name, value]) => paint(`${name}=${shortValue(value)}`, name))
    .join(' ');
}

/** The names of the params that are not the same in all runs. */
export function differingParams(
  runs: readonly { readonly params?: Readonly<Record<string, unknown>> | undefined }[],
): readonly string[] {
  const names = [...new Set(runs.flatMap(({ params = {} }) => Object.keys(params)))];
  return names.filter(
    (name) => new Set(runs.map(({ params }) => JSON.stringify(params?.[name]))).size > 1,
  );
}

/** A value on one line, of at most 30 characters: a text as it is, or as JSON if it could be read as something else. */
function shortValue(value: Json): string {
  const isPlain = typeof value === 'string' && /^[^\s"[\]{},]+$/.test(value);
  return shortText(isPlain ? value : JSON.stringify(value));
}

/** A text on one line, of at most 30 characters. */
export function shortText(text: string): string {
  return cutText(text.replace(/[\p{C}\s]+/gu, ' ').trim(), longestValue);
}

/** A text of at most so many characters. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
