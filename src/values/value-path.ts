import { nameOf } from './inspect-value.js';

/** The longest path that is told whole, in characters. */
const longestPath = 60;

/** The place of a part within a value: `.messages[0].content`; a long one keeps its end. Empty for the value itself. */
export function pathText(steps: readonly PropertyKey[]): string {
  const path = steps.map(stepText).join('');
  return path.length <= longestPath ? path : `…${path.slice(-longestPath).toWellFormed()}`;
}

const mostNamed = 3;

/** Names of fields, as paths: `.text, .content, .steps, …`. `within`: the steps to the value that has them. */
export function namesText(
  names: readonly PropertyKey[],
  within: readonly PropertyKey[] = [],
): string {
  const named = names.slice(0, mostNamed).map((name) => pathText([...within, name]));
  return `${named.join(', ')}${names.length > mostNamed ? ', …' : ''}`;
}

function stepText(key: PropertyKey): string {
  if (typeof key === 'symbol') return `[${nameOf({ name: key.description })}]`;
  return /^\d+$/.test(String(key)) ? `[${String(key)}]` : `.${String(key)}`;
}
