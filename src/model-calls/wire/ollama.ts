import type { CallMessage } from '../../model/calls/model-call.js';
import type { JsonObject } from '../../model/result.js';
import { countOf, defined, nameOf, objectOf, objectsOf, textOf, without } from './json.js';
import { argumentsText, imagePart, textPart, toolCallPart } from './messages.js';
import { messagesOf, promptMessages, toolsOf } from './openai-chat.js';
import { usageOf } from './usage-fields.js';
import {
  type AnsweredPart,
  type AnswerReader,
  lastAnswer,
  namedError,
  noStream,
  type WireFormat,
} from './wire-format.js';

/** Chats of Ollama's own API. */
export const ollamaChat: WireFormat = {
  provider: 'ollama',
  operation: 'chat',
  path: /\/api\/chat$/,
  isRequest: (body) => Array.isArray(body.messages) && typeof body.model === 'string',
  isAnswer: (event) => typeof event.done === 'boolean' && objectOf(event.message) !== undefined,
  isToken: (event) => {
    const { content, thinking, tool_calls: calls } = objectOf(event.message) ?? {};
    return [content, thinking].some((text) => nameOf(text) !== undefined) || Array.isArray(calls);
  },
  isEnd: (event) => event.done === true,
  readRequest: (body) =>
    defined({
      model: nameOf(body.model),
      messages: messagesOf(body.messages).map(chatMessage),
      tools: toolsOf(body.tools),
      parameters: without(body, 'model', 'messages', 'tools', 'stream'),
    }),
  answerReader: () => new OllamaReader(),
};

/** Completions of Ollama's own API. */
export const ollamaGenerate: WireFormat = {
  provider: 'ollama',
  operation: 'text_completion',
  path: /\/api\/generate$/,
  isRequest: (body) => typeof body.model === 'string' && typeof body.prompt === 'string',
  isAnswer: (event) => typeof event.done === 'boolean' && typeof event.response === 'string',
  isToken: (event) => [event.response, event.thinking].some((text) => nameOf(text) !== undefined),
  isEnd: (event) => event.done === true,
  readRequest: (body) => {
    const system = nameOf(body.system);
    return defined({
      model: nameOf(body.model),
      messages: [
        ...(system === undefined ? [] : [{ role: 'system', content: system }]),
        ...promptMessages(body.prompt, body.images),
      ],
      parameters: without(body, 'model', 'prompt', 'system', 'images', 'stream', 'context'),
    });
  },
  answerReader: () => new OllamaReader(),
};

/** Ollama has images beside the text, and arguments as objects. */
function chatMessage(message: JsonObject): CallMessage {
  const images = Array.isArray(message.images) ? message.images : [];
  const calls = objectsOf(message.tool_calls).map((call) => {
    const given = objectOf(call.function) ?? {};
    return toolCallPart(nameOf(call.id), nameOf(given.name) ?? '', argumentsText(given.arguments));
  });
  const parts = images.flatMap((image) =>
    typeof image === 'string' ? [imagePart('image/png', image)] : [],
  );
  const text = textOf(message.content) ?? '';
  return {
    ...without(message, 'images', 'tool_calls', 'content'),
    role: textOf(message.role) ?? 'assistant',
    ...(parts.length > 0
      ? { content: [textPart(text), ...parts] }
      : (text !== '' || calls.length === 0) && { content: text }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Puts an answer of Ollama together, streamed or not. */
class OllamaReader implements AnswerReader {
  #hasAnswer = false;
  #text = '';
  #thinking = '';
  readonly #calls: JsonObject[] = [];
  #last: JsonObject = {};
  #error: string | undefined;

  push(event: JsonObject): void {
    this.#error ??= namedError(event);
    const message = objectOf(event.message);
    const given = message ?? event;
    const text = textOf(message === undefined ? event.response : message.content);
    if (text !== undefined) this.#hasAnswer = true;
    this.#text += text ?? '';
    this.#thinking += textOf(given.thinking) ?? '';
    for (const call of objectsOf(message?.tool_calls)) this.#calls.push(call);
    this.#last = { ...this.#last, ...without(event, 'message', 'response', 'thinking', 'context') };
  }

  read(): AnsweredPart {
    const last = this.#last;
    const message = {
      role: 'assistant',
      content: this.#text,
      ...(this.#thinking !== '' && { thinking: this.#thinking }),
      tool_calls: this.#calls,
    };
    const hasAnswer = this.#hasAnswer || this.#calls.length > 0;
    return defined({
      response_model: nameOf(last.model),
      answer: hasAnswer ? [chatMessage(message)] : undefined,
      finish_reason: nameOf(last.done_reason),
      usage: usageOf({
        input: countOf(last.prompt_eval_count),
        output: countOf(last.eval_count),
      }),
      error: this.#error,
    });
  }
}

/** Embeddings of Ollama's own API, in its two forms. */
export const ollamaEmbeddings: WireFormat = {
  ...noStream,
  provider: 'ollama',
  operation: 'embeddings',
  path: /\/api\/(embed|embeddings)$/,
  isRequest: (body) =>
    typeof body.model === 'string' && (body.input !== undefined || body.prompt !== undefined),
  isAnswer: (answer) =>
    [answer.embeddings, answer.embedding].some(
      (list) => Array.isArray(list) && typeof list[0] !== 'object',
    ) ||
    (Array.isArray(answer.embeddings) && Array.isArray(answer.embeddings[0])),
  readRequest: (body) =>
    defined({
      model: nameOf(body.model),
      messages: promptMessages(body.input ?? body.prompt),
      parameters: without(body, 'model', 'input', 'prompt'),
    }),
  answerReader: () =>
    lastAnswer((answer) => ({
      response_model: nameOf(answer.model),
      usage: usageOf({
        input: countOf(answer.prompt_eval_count),
      }),
    })),
};
