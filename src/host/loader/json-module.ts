import { readFileSync } from 'node:fs';
import { exportNames } from './facade.js';

/** A module with the value of a JSON file as default export and its keys as named exports, like those of bundlers. */
export function createJsonModule(file: string): string {
  const value = parseFile(file);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const names = isObject ? Object.keys(value).filter((key) => key !== 'default') : [];
  const lines = [`const it = JSON.parse(${JSON.stringify(JSON.stringify(value))});`];
  return [...lines, 'export default it;', ...exportNames(names)].join('\n');
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(`${file}: ${reason}`, { cause: error });
  }
}
