import type { Json, JsonObject, Result } from './result.js';

/** True for a list of messages in the format of model APIs: each has a `role`, and content or a tool call. */
export function isConversation(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

/** True when a result has readable messages: traced ones, or as input or output. */
export function hasMessages(result: Pick<Result, 'input' | 'output' | 'trace_data'>): boolean {
  const { messages } = result.trace_data;
  if (Array.isArray(messages) && messages.length > 0) return true;
  return isConversation(result.input) || isConversation(result.output);
}

function isMessage(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const message = value as JsonObject;
  return (
    typeof message.role === 'string' &&
    ['content', 'parts', 'tool_calls', 'function_call'].some((key) => message[key] !== undefined)
  );
}
