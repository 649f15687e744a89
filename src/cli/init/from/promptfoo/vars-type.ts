import { keyText } from '../code.js';

/** The type `Vars` of the inputs of all cases. `isTable`: they come from a table, whose columns the compiler does not know. */
export function varsType(
  all: readonly Readonly<Record<string, unknown>>[],
  isTable: boolean,
): string {
  if (isTable) return 'type Vars = Record<string, string>;';
  const names = [...new Set(all.flatMap(Object.keys))];
  if (names.length === 0) return 'type Vars = Record<string, never>;';
  const fields = names.map((name) => {
    const values = all.filter((vars) => Object.hasOwn(vars, name)).map((vars) => vars[name]);
    const types = [...new Set(values.map(typeOf))];
    const type = types.includes('unknown') ? 'unknown' : types.join(' | ');
    return `  ${keyText(name)}${values.length < all.length ? '?' : ''}: ${type};\n`;
  });
  return `interface Vars {\n${fields.join('')}}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value))
    return value.every((one) => typeof one === 'string') ? 'string[]' : 'unknown[]';
  if (typeof value === 'object') return 'Record<string, unknown>';
  return ['string', 'number', 'boolean'].includes(typeof value) ? typeof value : 'unknown';
}
