import { previewOf } from './preview.js';
import type { Json, Result } from './result.js';

const roots = ['metadata', 'input', 'output', 'reference'] as const;

/** How fields of conditions begin: facts of a result, values in it, and its scores. */
export const fieldStarts: readonly string[] = [
  ...['id', 'evaluation', 'file', 'dataset', 'label', 'status'],
  ...['latency', 'cost', 'calls', 'tokens', 'tool', 'model'],
  ...[...roots, 'score'],
];

/** A value in a result: `metadata.tier`, `input.city`, `output.items[0].id`, or `output` alone. */
export interface ResultField {
  readonly of: (typeof roots)[number];
  readonly path: readonly (string | number)[];
}

/** The forms of {@link parseResultField}, for errors and help. */
export const resultFieldForms = 'metadata.KEY, input.PATH, output.PATH, reference.PATH';

const step = /\.([^.[\]]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** Reads a field: names after dots, positions and quoted names in brackets. `undefined` for anything else. */
export function parseResultField(text: string): ResultField | undefined {
  const of = roots.find(
    (root) => text === root || (/^[.[]/.test(text.slice(root.length)) && text.startsWith(root)),
  );
  if (of === undefined || text === 'metadata') return undefined;
  const path: (string | number)[] = [];
  step.lastIndex = of.length;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (found === null) return undefined;
    const [, name, position, quoted] = found;
    const key = name ?? (position === undefined ? unquoted(quoted) : Number(position));
    if (key === undefined) return undefined;
    path.push(key);
  }
  return { of, path };
}

function unquoted(text = ''): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** The text that {@link parseResultField} reads. */
export function resultFieldText({ of, path }: ResultField): string {
  const steps = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    // An operator would end the field in front of a value.
    return /^[^.[\]=~<>!]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  });
  return of + steps.join('');
}

/** The value of a field; `undefined` where the result has none. */
export function valueOfField(
  result: Pick<Result, ResultField['of']>,
  field: ResultField,
): Json | undefined {
  let value: Json | undefined = result[field.of];
  for (const key of field.path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [key: string | number]: Json })[key];
  }
  return value;
}

/** Most characters of a field in a table. */
export const longestFieldText = 200;

/** A value as one line of text: strings as they are, other values as JSON; `null` without a value. */
export function fieldText(
  result: Pick<Result, ResultField['of']>,
  field: ResultField,
): string | null {
  return previewOf(valueOfField(result, field) ?? null, longestFieldText).text;
}
