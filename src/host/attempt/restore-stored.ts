import { whyUnreadable } from '../../model/kept-here.js';
import { type KeptName, keptNames } from '../../model/kept-values.js';
import type { Json, JsonObject } from '../../model/result.js';
import type { StoredValues } from '../../protocol/messages.js';
import { restoreValue } from '../../values/keep-value.js';
import { Sanitizer, withAndWithoutWarnings } from '../sanitizer.js';

/** Stored values with what JSON does not keep; or why something of them cannot be restored. */
export interface Restored {
  readonly stored: StoredValues;
  readonly problem?: string;
}

/** Puts values that were kept in the place of their JSON. What cannot be restored stays JSON. */
export function restoreStored(given: StoredValues): Restored {
  const { kept, authored, output, metadata, ...others } = given;
  const lost = given.lacksCalls === true ? 'the line with its calls is damaged' : undefined;
  if (kept === undefined) return { stored: given, ...(lost && { problem: lost }) };
  const newer = whyUnreadable(kept);
  if (newer !== undefined) return { stored: given, problem: newer };
  const damaged: string[] = [];
  const { traceData } = others;
  const trace_data = Sanitizer.traceData(traceData);
  const values: { [name: string]: unknown } = { ...authored, output, metadata, trace_data };
  for (const name of keptNames) {
    const bytes = kept[name];
    if (bytes === undefined || !(name in values)) continue;
    const restored = restoreStoredValue(name, bytes, values[name] as Json);
    if (restored === undefined) damaged.push(name);
    else values[name] = restored.value;
  }
  const { input, reference, trace_data: seen } = values;
  const stored = {
    ...others,
    ...(authored && { authored: { input, reference } }),
    output: values.output,
    // Only an object has the JSON of one, but for a map or an error.
    metadata: values.metadata as StoredValues['metadata'],
    seenTraceData: seen as StoredValues['seenTraceData'],
  };
  if (damaged.length === 0) return { stored, ...(lost && { problem: lost }) };
  return { stored, problem: `what was kept of its ${damaged.join(' and ')} is damaged` };
}

/** Hosts get values as JSON. */
function restoreStoredValue(name: KeptName, bytes: string, json: Json) {
  if (name !== 'trace_data') return restoreValue(bytes, json);
  for (const one of withAndWithoutWarnings(json as JsonObject)) {
    const restored = restoreValue(bytes, one);
    if (restored !== undefined) return restored;
  }
  return undefined;
}
