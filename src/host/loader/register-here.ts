import { loadInOthers } from './load-in-others.js';
import { registerTypeScript } from './register.js';

// Preloaded by the threads and processes that evaluations start from a TypeScript file.
registerTypeScript();
loadInOthers();
