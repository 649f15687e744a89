import { workerData } from 'node:worker_threads';
import { type Watch, watch } from './watchdog.js';

// A thread for the watchdog alone, where no other one is there.
watch(workerData as Watch);
