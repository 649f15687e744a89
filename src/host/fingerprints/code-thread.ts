import { parentPort, workerData } from 'node:worker_threads';
import { analyseModule } from '../../fingerprints/read-module.js';
import { transform } from '../loader/compile-module.js';
import { fileCodes, type LoadedCode } from './file-codes.js';

// Loads the compiler and the parser, which most changed modules need.
if ((workerData as { readonly warmUp: boolean }).warmUp) {
  const code = `export const warm = (n: number) => { const { up } = { up: [n] }; return up.map((one) => one + 1); };`;
  analyseModule(transform('warm-up.ts', code, {}, true).code);
}

// Sends the code of each eval file to the host, and ends.
parentPort?.once('message', (loaded: LoadedCode) => {
  for (const code of fileCodes(loaded)) parentPort?.postMessage(code);
});
