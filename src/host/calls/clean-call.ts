import type { Call } from '../../model/calls/model-call.js';
import type { Json } from '../../model/result.js';

/** Removes secrets from stored calls. */
export interface CallSanitizer {
  text(text: string): string;
  callText(value: Json): Json;
}

/** A call without secrets; messages and tools are cleaned separately, once for all calls. */
export function cleanCall({ model_call, ...call }: Call, sanitizer: CallSanitizer): Call {
  if (model_call === undefined) return cleanFields(call, sanitizer);
  const { messages, answer, tools, usage, ...rest } = model_call;
  const exchange = {
    ...cleanFields(rest, sanitizer),
    ...(messages && { messages }),
    ...(answer && { answer }),
    ...(tools && { tools }),
    ...(usage && { usage }),
  };
  return { ...cleanFields(call, sanitizer), model_call: exchange };
}

/** Numbers stay as they are: one may be a secret by chance only. */
function cleanFields<Fields extends object>(fields: Fields, sanitizer: CallSanitizer): Fields {
  const clean = (value: unknown) => {
    if (typeof value === 'string') return sanitizer.text(value);
    return typeof value === 'object' ? sanitizer.callText(value as Json) : value;
  };
  const cleaned: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) cleaned[name] = clean(value);
  return cleaned as Fields;
}
