import { whyUnreadable } from '../../model/kept-here.js';
import { keptNames } from '../../model/kept-values.js';
import type { Json } from '../../model/result.js';
import type { StoredValues } from '../../protocol/messages.js';
import { restoreValue } from '../../values/keep-value.js';

/** Stored values with what JSON does not keep; or why something of them cannot be restored. */
export interface Restored {
  readonly stored: StoredValues;
  readonly problem?: string;
}

/** Puts values that were kept in the place of their JSON. What cannot be restored stays JSON. */
export function restoreStored(given: StoredValues): Restored {
  const { kept, authored, output, metadata, ...others } = given;
  if (kept === undefined) return { stored: given };
  const newer = whyUnreadable(kept);
  if (newer !== undefined) return { stored: given, problem: newer };
  const damaged: string[] = [];
  const values: { [name: string]: unknown } = { ...authored, output, metadata };
  for (const name of keptNames) {
    const bytes = kept[name];
    if (bytes === undefined || !(name in values)) continue;
    // Hosts get them as JSON.
    const restored = restoreValue(bytes, values[name] as Json);
    if (restored === undefined) damaged.push(name);
    else values[name] = restored.value;
  }
  const { input, reference } = values;
  const stored = {
    ...others,
    ...(authored && { authored: { input, reference } }),
    output: values.output,
    // Only an object has the JSON of one, but for a map or an error.
    metadata: values.metadata as StoredValues['metadata'],
  };
  if (damaged.length === 0) return { stored };
  return { stored, problem: `what was kept of its ${damaged.join(' and ')} is damaged` };
}
