import { type Fields, fieldsOf, textOf } from './fields.js';
import type { CallPart } from './message.js';

/** The answer of a tool to the call `id`. */
export interface ToolAnswer {
  readonly kind: 'answer';
  readonly id: string | undefined;
  readonly answer: unknown;
  /** The tool failed. */
  readonly isError?: true;
}

/** Code that Gemini runs has no id. */
const codeId = 'executableCode';

/** A tool call or its answer, in the formats of all providers; `undefined` for anything else. */
export function readTool(fields: Fields): CallPart | ToolAnswer | undefined {
  const type = textOf(fields.type) ?? '';
  return readCallPart(fields, type) ?? readAnswerPart(fields, type) ?? readItem(fields, type);
}

function readCallPart(fields: Fields, type: string): CallPart | undefined {
  const google = fieldsOf(fields.functionCall);
  if (google) return readCall(google);
  const bedrock = fieldsOf(fields.toolUse);
  if (bedrock) return { ...readCall(bedrock), ...hosted(bedrock.type === 'server_tool_use') };
  const code = fieldsOf(fields.executableCode);
  if (code) {
    return { kind: 'call', id: codeId, name: 'code execution', given: code.code, isHosted: true };
  }
  if (/^(server_|mcp_)?tool[_-](use|call)$/.test(type)) {
    const isHosted = /^(server|mcp)_/.test(type) || fields.providerExecuted === true;
    return { ...readCall(fields), ...hosted(isHosted) };
  }
  return undefined;
}

function readAnswerPart(fields: Fields, type: string): ToolAnswer | undefined {
  const google = fieldsOf(fields.functionResponse);
  if (google) return answerOf(textOf(google.id) ?? textOf(google.name), google.response);
  const bedrock = fieldsOf(fields.toolResult);
  if (bedrock) {
    return answerOf(textOf(bedrock.toolUseId), bedrock.content, bedrock.status === 'error');
  }
  const code = fieldsOf(fields.codeExecutionResult);
  if (code) return answerOf(codeId, code.output ?? code.outcome);
  if (!/tool[_-]result$/.test(type)) return undefined;
  const id = textOf(fields.tool_use_id) ?? textOf(fields.toolCallId);
  const isError = fields.is_error === true || fields.isError === true;
  return answerOf(id, fields.content ?? fields.output ?? fields.result, isError);
}

/** Items of OpenAI's Responses that the provider runs, by what they are given and what they answer. */
const hostedItems: Readonly<Record<string, readonly [given: string, answer: string]>> = {
  web_search_call: ['action', 'results'],
  file_search_call: ['queries', 'results'],
  code_interpreter_call: ['code', 'outputs'],
  image_generation_call: ['prompt', 'result'],
  mcp_call: ['arguments', 'output'],
  mcp_list_tools: ['server_label', 'tools'],
};

/** Items of OpenAI's Responses. */
function readItem(fields: Fields, type: string): CallPart | ToolAnswer | undefined {
  const parts = hostedItems[type];
  if (parts !== undefined) {
    const answer = fields[parts[1]] ?? fields.error ?? undefined;
    return {
      kind: 'call',
      id: undefined,
      name: textOf(fields.name) ?? type.replace(/_call$/, ''),
      given: parsed(fields[parts[0]]),
      ...(answer !== undefined && { answer: parsed(answer) }),
      isHosted: true,
    };
  }
  if (type.endsWith('_call_output')) return answerOf(textOf(fields.call_id), fields.output);
  if (isCallItem(type)) return readCall({ ...fields, name: fields.name ?? type });
  return undefined;
}

/** True for the types of items of OpenAI's Responses that are no messages: calls of tools, their answers, thoughts. */
export function isItemType(type: unknown): boolean {
  if (typeof type !== 'string') return false;
  return type === 'reasoning' || type in hostedItems || isCallItem(type.replace(/_output$/, ''));
}

function isCallItem(type: string): boolean {
  return /^(function|custom_tool|computer|local_shell|shell|apply_patch)_call$/.test(type);
}

/** A call of `tool_calls`, or one with such fields. */
export function readCall(call: Fields): CallPart {
  const made = fieldsOf(call.function) ?? fieldsOf(call.custom) ?? call;
  const name = textOf(made.name) ?? textOf(made.toolName) ?? 'tool';
  const given = made.arguments ?? made.input ?? made.args ?? made.action;
  const id =
    textOf(call.call_id) ??
    textOf(call.id) ??
    textOf(call.toolCallId) ??
    textOf(call.toolUseId) ??
    name;
  const isJson = fieldsOf(call.function) === undefined || isJsonText(made.arguments);
  return { kind: 'call', id, name, given: parsed(given), ...(!isJson && { isNotJson: true }) };
}

/** Also for an empty text, which stands for no arguments, and for what is no text. */
function isJsonText(value: unknown): boolean {
  if (typeof value !== 'string' || value.trim() === '') return true;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/** The answer of a tool; text parts are joined. */
export function answerOf(id: string | undefined, value: unknown, isError = false): ToolAnswer {
  const parts = Array.isArray(value) ? value.map((part) => textOf(fieldsOf(part)?.text)) : [];
  const isText = parts.length > 0 && parts.every((text) => text !== undefined);
  const answer = readable(parsed(isText ? parts.join('\n') : value));
  return { kind: 'answer', id, answer, ...(isError && { isError }) };
}

function hosted(isHosted: boolean): { readonly isHosted?: true } {
  return isHosted ? { isHosted } : {};
}

/** Without what only the provider can read. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  const fields = fieldsOf(value);
  if (fields === undefined) return value;
  const shown = Object.entries(fields).filter(([key]) => !key.startsWith('encrypted_'));
  return Object.fromEntries(shown.map(([key, item]) => [key, readable(item)]));
}

/** Parses a string with JSON, which tool arguments and answers often are. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
