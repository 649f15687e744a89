import fc from 'fast-check';
import { seed } from './rounds.js';

// Properties try the same values in each run, see `.mocharc.cjs`.
fc.configureGlobal({ seed });
