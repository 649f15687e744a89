import type { Result } from '../api/schema.js';
import { nameParts } from '../components/names/evaluation-name.js';

/** Characters that an editor does not show, or shows elsewhere. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A case as TypeScript, to be pasted among the `cases` of an evaluation: values as they are stored. `name`: of the result. */
export function caseText(
  name: string,
  { input, reference }: Pick<Result, 'input' | 'reference'>,
): string {
  const id = nameParts(name)[1].slice(1, -1);
  const fields = [
    ...(id === '' ? [] : [['id', id] as const]),
    ...(input === null ? [] : [['input', input] as const]),
    ...(reference === null ? [] : [['reference', reference] as const]),
  ];
  return `${sourceOf(Object.fromEntries(fields))},\n`;
}

/** JSON as an expression of TypeScript. */
function sourceOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return textSource(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => sourceOf(item, inner))
    : Object.entries(value).map(([key, item]) => `${keySource(key)}: ${sourceOf(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  const inOne = Array.isArray(value) ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`;
  const fits = indent.length + inOne.length <= 90 && !items.some((item) => item.includes('\n'));
  return fits
    ? inOne
    : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

function keySource(key: string): string {
  // As a plain key it would be the prototype.
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : textSource(key);
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function textSource(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(hidden, (sign) => short[sign] ?? `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
  return `${quote}${escaped}${quote}`;
}
