import { parentPort, workerData } from 'node:worker_threads';
import { fileCodes } from './file-codes.js';

// Sends the code of each eval file to the host, and ends.
for (const code of fileCodes(workerData)) parentPort?.postMessage(code);
