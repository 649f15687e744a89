import type { ChalkInstance } from 'chalk';
import type { JsonObject } from '../../model/json.js';
import { differingParams, renderParams } from '../../model/param-text.js';
import { escapeTerminal } from './terminal-text.js';

interface Parameterized {
  readonly params?: JsonObject | undefined;
}

/** The params of a run, `model=swift temperature=0.2`; bold those that the run before has with another value, or not at all. */
export function escapedParams(
  run: Parameterized,
  before: Parameterized | undefined,
  colours: ChalkInstance,
): string {
  const changed = new Set(before === undefined ? [] : differingParams([run, before]));
  return renderParams(run.params ?? {}, (text, name) => {
    const safe = escapeTerminal(text);
    return changed.has(name) ? colours.bold(safe) : safe;
  });
}
