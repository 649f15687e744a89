import type { Json, JsonObject, Result } from './result.js';

/** True for a list of messages as the APIs of models take them: each has a `role`, and something it says or does. */
export function isConversation(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

/** True when the messages of a result can be read: they were traced, or are its input or output. */
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
    ['content', 'parts', 'tool_calls'].some((key) => message[key] !== undefined)
  );
}
