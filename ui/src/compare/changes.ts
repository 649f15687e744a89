import type { Change } from '../../../src/compare/cases/change.js';

/** Changes that are shown, counted and filtered together. */
export interface ChangeGroup {
  readonly id: 'regressed' | 'fixed' | 'changed' | 'only' | 'same' | 'not_paired';
  readonly changes: readonly Change[];
  readonly text: string;
  readonly note: string;
}

/** All groups, most important first. */
export const changeGroups: readonly ChangeGroup[] = [
  { id: 'regressed', changes: ['regressed'], text: 'regressed', note: 'passed before' },
  { id: 'fixed', changes: ['fixed'], text: 'fixed', note: 'failed before' },
  { id: 'changed', changes: ['changed'], text: 'changed', note: 'output or score' },
  { id: 'only', changes: ['only_base', 'only_other'], text: 'only in one', note: 'new or gone' },
  { id: 'same', changes: ['same'], text: 'same', note: '' },
  { id: 'not_paired', changes: ['not_paired'], text: 'not paired', note: 'not finished in one' },
];
