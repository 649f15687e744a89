import { workerData } from 'node:worker_threads';
import { type Watch, watch } from './runner-watch.js';

// Runs the runner watch in its own thread, if there is no hook thread.
watch(workerData as Watch);
