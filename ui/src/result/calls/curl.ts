import type { StoredCall, StoredCalls } from '../../../../src/model/calls/stored-calls.js';
import type { Json, JsonObject } from '../../../../src/model/json.js';
import { shellWord } from '../../../../src/text/shell-word.js';
import { textsAt } from './stored-call.js';

/** The call as a command that makes it again, with the key in an environment variable; `undefined` where too little is kept of it. */
export function curlOf(stored: StoredCalls, { method, url, model_call }: StoredCall) {
  const path = url.replace(/\?.*/, '');
  const wire = wires.find((one) => one.path.test(path));
  // Input that is no text, such as token numbers, is not kept.
  if (wire === undefined || (model_call?.messages ?? []).length === 0) return undefined;
  const { model, messages, tools, parameters, stream = false } = model_call ?? {};
  const sent: Sent = {
    model,
    messages: textsAt(stored, messages) as JsonObject[],
    stream,
    rest: { ...(tools && { tools: textsAt(stored, tools) as JsonObject[] }), ...parameters },
  };
  const auth = wire.auth && (authAt(url) ?? wire.auth);
  const lines = [
    `curl -X ${method} ${addressOf(url, auth)}`,
    "-H 'Content-Type: application/json'",
    ...(auth === undefined ? [] : [`-H "${auth}"`]),
    ...(wire.headers ?? []).map((header) => `-H ${shellWord(header)}`),
    `-d ${shellWord(JSON.stringify(wire.body(sent)))}`,
  ];
  return lines.join(' \\\n  ');
}

/** Header with the key at hosts that take the request of another provider with a key of their own. */
function authAt(url: string): string | undefined {
  if (/^https:\/\/[^/]*\.azure\.com\//.test(url)) return 'api-key: $AZURE_OPENAI_API_KEY';
  const isVertex = /^https:\/\/[^/]*aiplatform\.googleapis\.com\//.test(url);
  return isVertex ? 'Authorization: Bearer $GOOGLE_ACCESS_TOKEN' : undefined;
}

/** The address as a word of a shell; values that are not kept are those of environment variables. */
function addressOf(url: string, auth = ''): string {
  // Google takes its key in a header as well.
  const kept = auth.startsWith('x-goog') ? url.replace(/([?&])key=…(?:&|$)/, '$1') : url;
  const address = kept.replace(/[?&]$/, '');
  if (!address.includes('=…')) return shellWord(address);
  const quotable = address.replace(/[`"\\$]/g, encodeURIComponent);
  const named = quotable.replace(/([^?&=]+)=…/g, (_, name: string) => {
    return `${name}=$${name.replace(/\W/g, '_').toUpperCase()}`;
  });
  return `"${named}"`;
}

/** The request format of a provider. */
interface Wire {
  readonly path: RegExp;
  /** Header with the key, as the shell fills it in. */
  readonly auth?: string;
  readonly headers?: readonly string[];
  readonly body: (sent: Sent) => object;
}

/** The stored parts of a request. */
interface Sent {
  readonly model: string | undefined;
  readonly messages: readonly JsonObject[];
  readonly stream: boolean;
  /** Parameters and tools, as they were sent. */
  readonly rest: { readonly tools?: readonly JsonObject[]; readonly [name: string]: unknown };
}

const openaiAuth = 'Authorization: Bearer $OPENAI_API_KEY';
const googleAuth = 'x-goog-api-key: $GEMINI_API_KEY';

/** Wire formats whose requests can be rebuilt from stored calls. */
const wires: readonly Wire[] = [
  {
    path: /\/chat\/completions$/,
    auth: openaiAuth,
    body: ({ model, messages, rest: { tools, ...rest }, stream }) => ({
      model,
      messages,
      ...(tools &&
        (tools.some(({ type }) => type === undefined) ? { functions: tools } : { tools })),
      ...rest,
      ...streamed(stream),
    }),
  },
  {
    path: /\/completions$/,
    auth: openaiAuth,
    body: ({ model, messages, rest, stream }) => ({
      model,
      prompt: textsOf(messages),
      ...rest,
      ...streamed(stream),
    }),
  },
  {
    path: /\/responses$/,
    auth: openaiAuth,
    body: ({ model, messages, rest, stream }) => ({
      model,
      ...instructions(messages),
      ...rest,
      ...streamed(stream),
    }),
  },
  {
    path: /\/api\/embed$/,
    body: ({ model, messages, rest }) => ({ model, input: textsOf(messages), ...rest }),
  },
  {
    path: /\/api\/embeddings$/,
    body: ({ model, messages, rest }) => ({ model, prompt: textsOf(messages), ...rest }),
  },
  {
    path: /\/embeddings$/,
    auth: openaiAuth,
    body: ({ model, messages, rest }) => ({ model, input: textsOf(messages), ...rest }),
  },
  {
    path: /\/messages$/,
    auth: 'x-api-key: $ANTHROPIC_API_KEY',
    headers: ['anthropic-version: 2023-06-01'],
    body: ({ model, messages, rest, stream }) => ({
      model,
      ...system(messages, 'system', (content) => content),
      messages: turns(messages, anthropicMessage, 'content'),
      ...rest,
      ...streamed(stream),
    }),
  },
  {
    path: /:(?:streamGenerateContent|generateContent)$/,
    auth: googleAuth,
    body: ({ messages, rest }) => ({
      ...system(messages, 'systemInstruction', (content) => ({ parts: googleParts(content) })),
      contents: turns(messages, googleContent, 'parts'),
      ...rest,
    }),
  },
  {
    path: /\/api\/chat$/,
    body: ({ model, messages, rest, stream }) => ({
      model,
      messages: messages.map(ollamaMessage),
      ...rest,
      // Without it, Ollama streams.
      stream,
    }),
  },
  {
    path: /\/api\/generate$/,
    body: ({ model, messages, rest, stream }) => ({
      model,
      ...system(messages, 'system', (content) => content),
      prompt: textsOf(messages.filter(({ role }) => role !== 'system')),
      ...rest,
      stream,
    }),
  },
];

const streamed = (stream: boolean) => (stream ? { stream } : {});

const fieldsOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? (value as JsonObject[]) : [];
const given = (name: string, value: Json | undefined): JsonObject =>
  value === undefined ? {} : { [name]: value };

/** The contents of messages: the only one, or a list. */
function textsOf(messages: readonly JsonObject[]): Json {
  const texts = messages.map(({ content = '' }) => content);
  return texts.length === 1 ? (texts[0] ?? '') : texts;
}

/** A text, or content parts, as parts. */
function partsOf(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content);
}

/** The image of a part: a data URL, or its address. */
function imageOf(part: JsonObject): { type?: string; data?: string; url?: string } | undefined {
  if (part.type !== 'image_url') return undefined;
  const url = String(fieldsOf(part.image_url).url ?? '');
  const [, type, data] = /^data:([^;]*);base64,(.*)$/s.exec(url) ?? [];
  return type === undefined || data === undefined ? { url } : { type, data };
}

interface SentToolCall {
  readonly id: Json | undefined;
  readonly name: Json | undefined;
  readonly text: string;
  readonly value: Json;
  /** Fields that only the provider understands. */
  readonly other: JsonObject;
}

function toolCallsOf(message: JsonObject): SentToolCall[] {
  return listOf(message.tool_calls).map(({ id, type: _, function: called, ...other }) => {
    const { name, arguments: given = '' } = fieldsOf(called);
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    return { id, name, text, value: parsed(text), other };
  });
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text === '' ? {} : text;
  }
}

function system(
  messages: readonly JsonObject[],
  name: string,
  toValue: (content: Json) => Json,
): JsonObject {
  const said = messages.find(({ role }) => role === 'system')?.content;
  return said === undefined ? {} : { [name]: toValue(said) };
}

/** Messages without those of the system. Answers of tools that follow each other share one, under `field`. */
function turns(
  messages: readonly JsonObject[],
  toMessage: (message: JsonObject) => JsonObject,
  field: 'content' | 'parts',
): JsonObject[] {
  const made: JsonObject[] = [];
  let wasTool = false;
  for (const message of messages) {
    if (message.role === 'system') continue;
    const turn = toMessage(message);
    const last = made.at(-1);
    if (message.role === 'tool' && wasTool && last !== undefined) {
      made[made.length - 1] = {
        ...last,
        [field]: [...listOf(last[field]), ...listOf(turn[field])],
      };
    } else made.push(turn);
    wasTool = message.role === 'tool';
  }
  return made;
}

/** Input of the responses API; a system prompt before it are its instructions. */
function instructions(messages: readonly JsonObject[]): JsonObject {
  const [first, ...rest] = messages;
  return first?.role === 'system' && typeof first.content === 'string'
    ? { instructions: first.content, input: rest.flatMap(inputItems) }
    : { input: messages.flatMap(inputItems) };
}

function inputItems(message: JsonObject): JsonObject[] {
  const { role, content } = message;
  if (role === 'tool') {
    return [
      { type: 'function_call_output', call_id: message.tool_call_id ?? '', output: content ?? '' },
    ];
  }
  const parts = partsOf(content);
  const isThought = ({ type }: JsonObject) => type === 'reasoning';
  const spoken = parts.filter((part) => !isThought(part)).map((part) => inputPart(part, role));
  const said = typeof content === 'string' ? content : spoken;
  return [
    ...parts.filter(isThought).map(({ text, ...item }) => ({
      ...item,
      summary: text === '' || text === undefined ? [] : [{ type: 'summary_text', text }],
    })),
    ...(said.length > 0 ? [{ role: role ?? 'user', content: said }] : []),
    ...toolCallsOf(message).map(({ id, name, text }) => ({
      type: 'function_call',
      call_id: id ?? '',
      name: name ?? '',
      arguments: text,
    })),
  ];
}

function inputPart(part: JsonObject, role: Json | undefined): JsonObject {
  if (part.type === 'text') {
    return { ...part, type: role === 'assistant' ? 'output_text' : 'input_text' };
  }
  if (part.type !== 'image_url') return part;
  const { url = '', detail } = fieldsOf(part.image_url);
  return { type: 'input_image', image_url: url, ...given('detail', detail) };
}

function anthropicMessage(message: JsonObject): JsonObject {
  const { role, content = '', tool_call_id: id = '', ...other } = message;
  const said = typeof content === 'string' ? content : partsOf(content).map(anthropicBlock);
  if (role === 'tool') {
    const result = { type: 'tool_result', tool_use_id: id, content: said, ...other };
    return { role: 'user', content: [result] };
  }
  const calls = toolCallsOf(message).map(({ id: called = '', name = '', value, other: more }) => ({
    type: 'tool_use',
    id: called,
    name,
    input: value,
    ...more,
  }));
  return {
    role: role ?? 'user',
    content: calls.length === 0 ? said : [...partsOf(content).map(anthropicBlock), ...calls],
  };
}

function anthropicBlock(part: JsonObject): JsonObject {
  if (part.type === 'reasoning') {
    const { text, ...rest } = part;
    return { ...rest, type: 'thinking', thinking: text ?? '' };
  }
  const image = imageOf(part);
  if (image === undefined) return part;
  const { type = '', data, url = '' } = image;
  const source =
    data === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data };
  const { image_url: _, ...other } = part;
  return { ...other, type: 'image', source };
}

function googleParts(content: Json | undefined): JsonObject[] {
  return partsOf(content).map((part) => {
    const { type: kind, image_url: _, ...fields } = part;
    if (kind === 'reasoning') return { ...fields, thought: true };
    const { type, data } = imageOf(part) ?? {};
    // Parts of other kinds have their first field as their type.
    return data === undefined ? fields : { inlineData: { mimeType: type ?? '', data }, ...fields };
  });
}

function googleContent(message: JsonObject): JsonObject {
  const { role, content, name = '', tool_call_id: id, ...other } = message;
  if (role === 'tool') {
    const response = typeof content === 'string' ? parsed(content) : (content ?? null);
    return {
      role: 'user',
      parts: [{ functionResponse: { ...given('id', id), name, response, ...other } }],
    };
  }
  const calls = toolCallsOf(message).map(({ id: called, name: tool, value, other: more }) => ({
    functionCall: { ...given('id', called), name: tool ?? '', args: value },
    ...more,
  }));
  return {
    role: role === 'assistant' ? 'model' : 'user',
    parts: [...googleParts(content), ...calls],
  };
}

function ollamaMessage({ content, tool_calls: _, ...message }: JsonObject): JsonObject {
  const calls = toolCallsOf({ tool_calls: _ ?? [] }).map(({ id, name, value }) => ({
    ...given('id', id),
    function: { name: name ?? '', arguments: value },
  }));
  const parts = partsOf(content);
  const images = parts.flatMap((part) => imageOf(part)?.data ?? []);
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return {
    ...message,
    content: text,
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}
