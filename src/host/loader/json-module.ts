import { exportNames } from './facade.js';
import { readUtf8 } from './read-utf8.js';

/** A module with the value of a JSON file as default export and its keys as named exports, like those of bundlers. */
export function createJsonModule(file: string): string {
  const value = parseFile(file);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const names = isObject ? Object.keys(value).filter((key) => key !== 'default') : [];
  const lines = [`const it = JSON.parse(${JSON.stringify(JSON.stringify(value))});`];
  return [...lines, 'export default it;', ...exportNames(names)].join('\n');
}

function parseFile(file: string): unknown {
  const text = readUtf8(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(`${file}: ${reason}`, { cause: error });
  }
}
