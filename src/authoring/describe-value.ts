import { isPlain } from './is-record.js';

const longest = 60;

/** A short, one-line description of a value for error messages; runs no code of the value. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return describeString(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return value.name ? `the function ${value.name}` : 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (value instanceof Promise) return 'a promise (is an await missing?)';
  const keys = Object.keys(value);
  if (keys.length === 0) return isPlain(value) ? 'an empty object' : instanceText(value);
  const shown = keys.slice(0, 5).map(describeString).join(', ');
  return `an object with ${shown}${keys.length > 5 ? ', …' : ''}`;
}

/** Of an object without fields, such as a date, a map or an expression. */
function instanceText(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  const made = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  const name: unknown = typeof made === 'function' ? made.name : undefined;
  return typeof name !== 'string' || name === '' ? 'an empty object' : `an instance of ${name}`;
}

/** A short description of a value, for a list with its first elements. */
export function describeElements(value: unknown): string {
  if (!Array.isArray(value)) return describeValue(value);
  return `[${value.slice(0, 5).map(describeValue).join(', ')}${value.length > 5 ? ', …' : ''}]`;
}

function describeString(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return JSON.stringify(cut);
}
