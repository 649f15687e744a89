import { createRequire } from 'node:module';
import type { Program } from 'acorn';
import { shortHash } from '../text/short-hash.js';
import { type ModuleFacts, opaqueFacts } from './module-facts.js';
import { ModuleReader } from './read-module.js';

const require = createRequire(import.meta.url);

/**
 * Analyses compiled JavaScript, an ES module or CommonJS. Code that cannot be parsed is one piece with all that the
 * loader sees.
 */
export function analyseModule(code: string): ModuleFacts {
  try {
    return new ModuleReader(parse(code)).read();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return opaqueFacts(shortHash(code));
  }
}

function parse(code: string): Program {
  // Loaded on demand, because a plain start does not need it.
  const acorn = require('acorn') as typeof import('acorn');
  const options = { ecmaVersion: 'latest', allowHashBang: true } as const;
  try {
    return acorn.parse(code, { ...options, sourceType: 'module' });
  } catch {
    return acorn.parse(code, {
      ...options,
      sourceType: 'script',
      allowReturnOutsideFunction: true,
    });
  }
}
