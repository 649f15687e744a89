import { countOf } from '../text/count-text.js';

/** An imported file without evaluations to run. */
export interface EmptyModule {
  readonly exported: readonly (readonly [name: string, value: unknown])[];
  /** Evaluations that were defined while it was imported. */
  readonly defined: number;
  /** Names of its exported evaluations, none of which has cases. */
  readonly withoutCases: readonly string[];
}

/** The reason why a file has no evaluations, for a sentence that begins with the file. */
export function whyEmpty({ exported, defined, withoutCases }: EmptyModule): string {
  const [first, ...others] = withoutCases;
  if (first !== undefined) {
    return `has no cases for ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  }
  if (defined > 0)
    return `defines ${countOf(defined, 'evaluation')} and does not export ${defined === 1 ? 'it' : 'them'}`;
  const byName = new Map(
    exported.filter(([, value]) => value !== undefined && !isEmptyObject(value)),
  );
  // What a CommonJS module exports is also its default.
  if (byName.size > 1 && typeof byName.get('default') === 'object') byName.delete('default');
  const values = [...byName.values()];
  if (values.length === 0) return 'exports nothing';
  const areFunctions = values.every((value) => typeof value === 'function');
  return `exports ${countOf(values.length, areFunctions ? 'function' : 'value')}, no evaluation`;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
