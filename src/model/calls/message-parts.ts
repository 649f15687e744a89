import { isObject } from '../json.js';
import { isEncrypted } from './encrypted-thought.js';

/** A part of a message. */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string; readonly sources?: readonly CitedSource[] }
  /** Thoughts of a model; empty if the provider does not show them. */
  | { readonly kind: 'thinking'; readonly text: string; readonly isEncrypted?: true }
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'sources'; readonly sources: readonly CitedSource[] }
  | { readonly kind: 'value'; readonly value: unknown }
  | CallPart;

/** A tool call, with its result if there is one. */
export interface CallPart {
  readonly kind: 'call';
  readonly id: string | undefined;
  readonly name: string;
  readonly given: unknown;
  readonly answer?: unknown;
  /** The provider ran the tool itself. */
  readonly isHosted?: true;
  /** The arguments should be JSON, and are not. */
  readonly isNotJson?: true;
  /** The answer is marked as an error. */
  readonly isFailed?: true;
}

/** A source that a model cites. */
export interface CitedSource {
  readonly title?: string;
  readonly url?: string;
  /** The cited words. */
  readonly quote?: string;
}

/** An object with unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object. */
export function fieldsOf(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

/** A string that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The objects of a list. */
function objectsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf).filter((one) => one !== undefined) : [];
}

/** A part of a message, or the answer of a tool. */
export type Said = MessagePart | ToolAnswer;

/** The parts of a message in order, in the formats of OpenAI, Anthropic, Gemini, Bedrock and the AI SDK. */
export function readParts(message: Fields): readonly Said[] {
  const content = message.content ?? message.parts;
  const calls = objectsOf(message.tool_calls);
  const older = fieldsOf(message.function_call);
  const isItem = message.role === undefined && calls.length === 0 && older === undefined;
  if (isItem && (content === undefined || isItemType(message.type))) return [readPart(message)];
  if (calls.length === 0 && isToolRole(message.role) && !hasAnswers(content)) {
    const id = textOf(message.tool_call_id) ?? textOf(message.id) ?? textOf(message.name);
    return [answerOf(id, content, message.is_error === true)];
  }
  const sources = readSources(message.annotations, message.citations);
  return [
    ...messageThoughts(message),
    ...readContent(content),
    ...readContent(message.refusal),
    ...(sources.length > 0 ? [{ kind: 'sources' as const, sources }] : []),
    ...[...calls, ...(older ? [older] : [])].map(readCall),
  ];
}

/** Fields in which servers send thoughts beside the content. */
function messageThoughts(message: Fields): readonly MessagePart[] {
  const { reasoning_content: openai, reasoning: router, thinking: ollama } = message;
  const text = textOf(openai) ?? textOf(router) ?? textOf(ollama);
  return text === undefined ? [] : [{ kind: 'thinking', text }];
}

function isToolRole(role: unknown): boolean {
  return role === 'tool' || role === 'function';
}

function hasAnswers(content: unknown): boolean {
  return objectsOf(content).some((part) => readTool(part)?.kind === 'answer');
}

function readContent(content: unknown): readonly Said[] {
  if (content === null || content === undefined || content === '') return [];
  if (Array.isArray(content)) return content.map(readPart);
  return [readPart(content)];
}

function readPart(part: unknown): Said {
  if (typeof part === 'string') return { kind: 'text', text: part };
  const fields = fieldsOf(part);
  if (fields === undefined) return { kind: 'value', value: part };
  const thought = readThought(fields);
  if (thought !== undefined) {
    const isSealed = thought === '' && isEncrypted(fields);
    return { kind: 'thinking', text: thought, ...(isSealed && { isEncrypted: true }) };
  }
  if (fields.type === 'item_reference') {
    return { kind: 'text', text: `Item ${fields.id} of an earlier answer` };
  }
  const tool = readTool(fields);
  if (tool !== undefined) return tool;
  const url = imageIn(fields);
  if (url !== undefined) return { kind: 'image', url };
  const named = fields.type === 'source' ? readSources([fields]) : readGrounding(fields);
  if (named.length > 0) return { kind: 'sources', sources: named };
  const text = textOf(fields.text) ?? textOf(fields.refusal);
  if (text === undefined) return { kind: 'value', value: part };
  const sources = readSources(fields.citations, fields.annotations);
  return { kind: 'text', text, ...(sources.length > 0 && { sources }) };
}

/** The thoughts of a part; empty if they are not shown, `undefined` for any other part. */
function readThought(fields: Fields): string | undefined {
  const bedrock = fieldsOf(fields.reasoningContent);
  if (bedrock) return textOf(fieldsOf(bedrock.reasoningText)?.text) ?? '';
  const isThought =
    fields.thought === true || /^(redacted[_-])?(thinking|reasoning)/.test(String(fields.type));
  if (!isThought) return undefined;
  const listed = [...objectsOf(fields.summary), ...objectsOf(fields.content)];
  return (
    textOf(fields.text) ??
    textOf(fields.thinking) ??
    textOf(fields.reasoning) ??
    textOf(fieldsOf(fields.reasoning_content)?.text) ??
    listed.flatMap(({ text }) => textOf(text) ?? []).join('\n\n')
  );
}

function imageIn(fields: Fields): string | undefined {
  const { image_url: link, source, image, data } = fields;
  const inline = fieldsOf(source) ?? fieldsOf(fields.inlineData) ?? fieldsOf(fields.inline_data);
  if (inline && typeof inline.data === 'string') {
    const type = textOf(inline.media_type) ?? textOf(inline.mimeType) ?? textOf(inline.mime_type);
    return imageUrl(`data:${type};base64,${inline.data}`);
  }
  return imageUrl(fieldsOf(link)?.url ?? link ?? image ?? data);
}

/** The distinct sources of lists of citations. */
function readSources(...lists: readonly unknown[]): readonly CitedSource[] {
  const found = new Map<string, CitedSource>();
  for (const fields of lists.flatMap(objectsOf)) {
    const source = readSource(fields);
    if (source !== undefined) found.set(JSON.stringify(source), source);
  }
  return [...found.values()];
}

/** The sources that Google says beside the parts of an answer. */
function readGrounding(fields: Fields): readonly CitedSource[] {
  const grounding = fieldsOf(fields.groundingMetadata);
  const { citations, citationSources } = fieldsOf(fields.citationMetadata) ?? {};
  return readSources(grounding?.groundingChunks, citations, citationSources);
}

function readSource(given: Fields): CitedSource | undefined {
  const fields =
    ['url_citation', 'file_citation', 'web', 'retrievedContext']
      .map((key) => fieldsOf(given[key]))
      .find((one) => one !== undefined) ?? given;
  const url = textOf(fields.url) ?? textOf(fields.uri) ?? webLocation(fields);
  const title =
    firstText(fields, ['title', 'document_title', 'filename', 'source', 'file_id']) ??
    listedIds(fields);
  const quotes = objectsOf(fields.sourceContent).flatMap(({ text }) => textOf(text) ?? []);
  const quote = textOf(fields.cited_text) ?? textOf(quotes.join(' '));
  if (url === undefined && title === undefined && quote === undefined) return undefined;
  return {
    ...(title !== undefined && { title }),
    ...(url !== undefined && { url }),
    ...(quote !== undefined && { quote }),
  };
}

function webLocation(fields: Fields): string | undefined {
  return textOf(fieldsOf(fieldsOf(fields.location)?.web)?.url);
}

function firstText(fields: Fields, keys: readonly string[]): string | undefined {
  return keys.map((key) => textOf(fields[key])).find((text) => text !== undefined);
}

function listedIds({ document_ids: ids }: Fields): string | undefined {
  return Array.isArray(ids) ? textOf(ids.join(', ')) : undefined;
}

/** The answer of a tool to the call `id`. */
interface ToolAnswer {
  readonly kind: 'answer';
  readonly id: string | undefined;
  readonly answer: unknown;
  /** The tool failed. */
  readonly isError?: true;
}

/** Code that Gemini runs has no id. */
const codeId = 'executableCode';

/** A tool call or its answer, in the formats of all providers; `undefined` for anything else. */
function readTool(fields: Fields): CallPart | ToolAnswer | undefined {
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
function readCall(call: Fields): CallPart {
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
function answerOf(id: string | undefined, value: unknown, isError = false): ToolAnswer {
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

/** A data URL with an image; `undefined` for other values. */
export function imageUrl(value: unknown): string | undefined {
  const isImage =
    typeof value === 'string' &&
    /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)[;,]/i.test(value.slice(0, 40));
  return isImage ? value : undefined;
}
