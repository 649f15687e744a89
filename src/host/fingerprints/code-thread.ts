import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ModuleFacts } from '../../fingerprints/module-facts.js';
import { analyseModule } from '../../fingerprints/read-module.js';
import { compileToRead, transform } from '../loader/compile.js';
import { isContent, type LoadedModule } from '../loader/module-graph.js';
import { findFileCodes, type LoadedCode } from './file-codes.js';

// Loads the compiler and the parser, which most changed modules need.
if ((workerData as { readonly warmUp: boolean }).warmUp) {
  const code = `export const warm = (n: number) => { const { up } = { up: [n] }; return up.map((one) => one + 1); };`;
  analyseModule(transform('warm-up.ts', code, {}, true).code);
}

// Sends the code of eval files to the host, and ends.
parentPort?.once('message', (loaded: LoadedCode) => {
  parentPort?.postMessage(findFileCodes(loaded, analyse));
});

function analyse({ file, hash }: LoadedModule): ModuleFacts | undefined {
  try {
    const bytes = readFileSync(file);
    if (!isContent(bytes, hash)) return undefined;
    return analyseModule(compileToRead(file, bytes.toString().replace(/^\uFEFF/, '')));
  } catch {
    return undefined;
  }
}
