/** In the place of the one that starts hosts; see `without-hosts.mjs`. */
export { InProcessExecutor as LocalExecutor } from './in-process-executor.js';
