import { workerData } from 'node:worker_threads';
import { type Watch, watch } from './watchdog.js';

// Runs the watchdog in its own thread, if there is no hook thread.
watch(workerData as Watch);
