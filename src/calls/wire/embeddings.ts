import { contentMessages, googleUsage, modelOf } from './google.js';
import { countOf, defined, jsonText, nameOf, objectOf, objectsOf, without } from './json.js';
import { promptMessages } from './openai-chat.js';
import { completionUsage, usageOf } from './usage-fields.js';
import { lastAnswer, noStream, partOfPath, type WireFormat } from './wire-format.js';

/** Embeddings of OpenAI. */
export const openaiEmbeddings: WireFormat = {
  ...noStream,
  provider: 'openai',
  operation: 'embeddings',
  path: /(?<!\/api)\/embeddings$/,
  isRequest: (body) => typeof body.input === 'string' || Array.isArray(body.input),
  isAnswer: (answer) => answer.object === 'list' && Array.isArray(answer.data),
  readRequest: (body, path) =>
    defined({
      model: nameOf(body.model) ?? partOfPath(path, /\/deployments\/([^/]+)\//),
      messages: promptMessages(body.input),
      parameters: without(body, 'model', 'input'),
    }),
  answerReader: () =>
    lastAnswer((answer) => ({
      response_model: nameOf(answer.model),
      usage: completionUsage(objectOf(answer.usage) ?? {}),
    })),
};

/** Moderations of OpenAI. */
export const openaiModerations: WireFormat = {
  ...noStream,
  provider: 'openai',
  operation: 'moderation',
  path: /\/moderations$/,
  isSharedPath: true,
  isRequest: (body) => body.input !== undefined,
  isAnswer: ({ results }) => objectsOf(results).some(({ categories }) => categories !== undefined),
  readRequest: (body) =>
    defined({
      model: nameOf(body.model),
      messages: promptMessages(body.input),
      parameters: without(body, 'model', 'input'),
    }),
  answerReader: () =>
    lastAnswer((answer) => ({
      response_id: nameOf(answer.id),
      response_model: nameOf(answer.model),
      answer: [{ role: 'assistant', content: jsonText(answer.results ?? null) }],
      usage: completionUsage(objectOf(answer.usage) ?? {}),
    })),
};

/** Embeddings of Google, one or many. */
export const googleEmbeddings: WireFormat = {
  ...noStream,
  provider: 'google',
  operation: 'embeddings',
  path: /:(embedContent|batchEmbedContents)$/,
  isRequest: (body) => body.content !== undefined || Array.isArray(body.requests),
  isAnswer: (answer) =>
    Array.isArray(objectOf(answer.embedding)?.values) ||
    (Array.isArray(answer.embeddings) && objectOf(answer.embeddings[0]) !== undefined),
  readRequest: (body, path) =>
    defined({
      model: modelOf(body, path),
      messages: [body, ...objectsOf(body.requests)].flatMap(({ content }) =>
        contentMessages(content),
      ),
      parameters: without(body, 'model', 'content', 'requests'),
    }),
  answerReader: () =>
    lastAnswer(({ usageMetadata }) => ({ usage: googleUsage(objectOf(usageMetadata) ?? {}) })),
};

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
