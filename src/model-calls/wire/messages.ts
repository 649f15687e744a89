import type { CallMessage, ToolCall } from '../../model/calls/model-call.js';
import { parseJson } from '../../model/json.js';
import type { Json, JsonObject } from '../../model/result.js';
import { jsonText, nameOf, objectOf, objectsOf, textOf } from './json.js';

/** A content part that is text. */
export function textPart(text: string): JsonObject {
  return { type: 'text', text };
}

/** A content part for what a model thought; fields that only the provider understands stay beside the text. */
export function reasoningPart(text: string, other: JsonObject = {}): JsonObject {
  return { type: 'reasoning', text, ...other };
}

/** A content part for an image with known bytes; fields that only the provider understands stay beside it. */
export function imagePart(mediaType: string, base64: string, other: JsonObject = {}): JsonObject {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` }, ...other };
}

/** A part of a kind that chat messages do not have, as it was sent: its first field is its type. */
export function otherPart(part: JsonObject): JsonObject {
  return { type: Object.keys(part)[0] ?? 'empty', ...part };
}

/** Arguments as a text: JSON, or the text of a model that wrote none. */
export function argumentsText(input: Json | undefined): string {
  return textOf(input) ?? jsonText(input ?? {});
}

/** The input of a tool that came as pieces of JSON; a text that is none, or a text in JSON, as it is. */
export function inputFrom(json: string): Json {
  const input = parseJson(json);
  return input === undefined || typeof input === 'string' ? json : input;
}

/** A tool call as chat messages have it; fields that only the provider understands stay beside it. */
export function toolCallPart(
  id: string | undefined,
  name: string,
  args: string,
  other: JsonObject = {},
): JsonObject {
  return {
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: args },
    ...other,
  };
}

/** The answer of a tool as a message. */
export function toolMessage(
  id: string | undefined,
  content: Json,
  other: JsonObject = {},
): CallMessage {
  return { role: 'tool', ...(id !== undefined && { tool_call_id: id }), content, ...other };
}

/** Content as chat messages have it: a text where that is all, else a list of parts. */
export function contentOf(parts: readonly JsonObject[]): string | readonly JsonObject[] {
  const [first] = parts;
  if (first === undefined) return '';
  const isPlain = parts.length === 1 && first.type === 'text' && Object.keys(first).length === 2;
  return isPlain ? (textOf(first.text) ?? parts) : parts;
}

/** A message of the assistant; without content, only its tool calls. */
export function assistantMessage(
  parts: readonly JsonObject[],
  toolCalls: readonly JsonObject[],
): CallMessage {
  if (toolCalls.length === 0) return { role: 'assistant', content: contentOf(parts) };
  const content = parts.length === 0 ? undefined : contentOf(parts);
  return { role: 'assistant', ...(content !== undefined && { content }), tool_calls: toolCalls };
}

/** The tool calls of messages, with their arguments parsed. */
export function toolCallsOf(messages: readonly JsonObject[]): readonly ToolCall[] {
  return messages.flatMap((message) => {
    const older = objectOf(message.function_call);
    const calls = older === undefined ? objectsOf(message.tool_calls) : [{ function: older }];
    return calls.flatMap((call: JsonObject) => {
      const given = objectOf(call.function) ?? objectOf(call.custom);
      const name = nameOf(given?.name);
      if (given === undefined || name === undefined) return [];
      const id = nameOf(call.id);
      const made = { ...(id !== undefined && { id }), name };
      if (objectOf(call.custom) !== undefined) {
        const input = textOf(given.input) ?? '';
        return [{ ...made, arguments: parseJson(input) ?? input }];
      }
      const args = given.arguments ?? '';
      const parsed = typeof args === 'string' ? parsedArguments(args) : args;
      return [
        parsed === undefined
          ? { ...made, arguments: args, not_json: true }
          : { ...made, arguments: parsed },
      ];
    });
  });
}

/** A tool without arguments gets an empty text from some providers. */
function parsedArguments(text: string): Json | undefined {
  return text.trim() === '' ? {} : parseJson(text);
}
