import type {
  Call,
  McpRequest,
  ModelExchange,
  UnknownModelCall,
} from '../model/calls/model-call.js';
import type { Json, JsonObject } from '../model/result.js';
import { hasHost } from '../text/host-matcher.js';
import { isLoopback } from '../text/loopback.js';
import { nameOf, objectOf } from './wire/json.js';
import { providerOfHost } from './wire/provider-of-host.js';
import {
  type ExchangeAnswer,
  type ExchangeRequest,
  isModelAddress,
  readExchange,
} from './wire/read-exchange.js';
import { partOfPath, pathOf } from './wire/wire-format.js';

/** The body of a request, as far as it was seen. */
interface SeenBody {
  /** `undefined` for a body that is no JSON. */
  json(): Json | undefined;
  bytes(): Uint8Array;
}

/** A request that may be a call of a model, and its answer. */
export interface SeenRequest extends Pick<ExchangeRequest, 'method' | 'url'> {
  readonly body: SeenBody;
  /** Hosts whose requests are none of models. */
  readonly notModels?: readonly string[] | undefined;
  /** A body that is no JSON says nothing of it, as it is not read as HTTP. */
  readonly isOpaque?: true;
  /** Absent as long as none has come. */
  readonly answer?: Pick<ExchangeAnswer, 'headers' | 'body'> | undefined;
}

/** Reads a call as a model call; `undefined` for any other. Never throws. */
export function recognise(
  { method, url, body }: SeenRequest,
  answer: ExchangeAnswer | undefined,
): ModelExchange | undefined {
  try {
    return readExchange({ method, url, body: body.json() }, answer);
  } catch {
    return undefined;
  }
}

/** What is said of a call that is no known model call. */
export type OtherRequest = Pick<Call, 'unknown_model_call' | 'mcp'>;

/** Reads a request that {@link recognise} does not know: of MCP, or one that looks like a model call and whose host may have models. */
export function otherRequest(request: SeenRequest): OtherRequest {
  const { url, body, notModels = [], isOpaque } = request;
  const json = body.json();
  const mcp = mcpRequest(json);
  if (mcp !== undefined) return { mcp };
  const isUnread = isOpaque === true && json === undefined;
  const unknown = unknownModelCall(request) ?? (isUnread ? {} : undefined);
  return unknown === undefined || hasHost(url, notModels) ? {} : { unknown_model_call: unknown };
}

/** What a model is asked, where something else says that it is one. */
const prompts = [
  ...['messages', 'message', 'prompt', 'prompts', 'input', 'inputs', 'query', 'queries'],
  ...['contents', 'content', 'text', 'texts', 'instances', 'requests', 'documents'],
  ...['question', 'inputText', 'input_value', 'sentences', 'chatRequest'],
];

const modelFields = ['model', 'model_id', 'modelId', 'model_name', 'modelName'];

/** Addresses that name a model: of Gemini, Vertex AI, Azure, SageMaker, Databricks, Replicate; Hugging Face; Cloudflare. */
const modelInPath = [
  /\/(?:models?|tunedModels|endpoints|deployments|engines)\/([^/:]+):\w+$/,
  /\/(?:models?|endpoints|deployments|engines|serving-endpoints)\/([^:]+?)\/(?:chat\/completions|completions|embeddings|responses|images\/\w+|audio\/\w+|invocations|invoke[\w-]*|converse[\w-]*|predictions|pipeline\/[\w-]+)$/,
  /\/models\/([^/:]+\/[^/:]+)$/,
  /\/pipeline\/[\w-]+\/(.+)$/,
  /\/ai\/run\/(.+)$/,
];

/** Addresses of calls whatever their body says, with files or a model that is named elsewhere: images, sound, batches, assistants, agents, gateways, predictions, Google by gRPC. */
const callAddresses = [
  /\/images\/(generations|edits|variations)$|\/audio\/(speech|transcriptions|translations)$/,
  /\/(text-to-speech|speech-to-text|speech-to-speech)(\/[^/]+)?(\/stream)?$|\/v1\/(speak|listen)$/,
  /\/batchPredictionJobs$|:batchGenerateContent$/,
  /\/threads(\/[^/]+)?\/runs(\/(stream|wait))?$|\/retrieveAndGenerate(Stream)?$/,
  /\/agentAliases\/[^/]+\/sessions\/[^/]+\/text$/,
  /\/ai\/(language|embedding|image|reranking)-model$|\/v1\/predictions$/,
  /\/google\.(ai\.generativelanguage|cloud\.aiplatform)\.\w+\.\w+\/\w*(Generate|Predict|Embed)\w*$/,
];

/** Addresses of calls whose body asks something in one of these fields: of llama.cpp, TGI, TEI, LangServe, LangGraph, Dify, Flowise, Langflow, Elastic. */
const askedAddresses: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\/(chat|completions?|generate(_?stream)?|predict|predictions?\/[^/]+|infer(ence)?|embed\w*|embeddings?|rerank|(chat|completion)-messages|workflows\/run|_inference\/.+)$/i,
    prompts.filter((name) => name !== 'requests'),
  ],
  [
    /\/(invoke|batch|stream(_log|_events)?|runs\/(stream|wait)|run\/[^/]+)$/,
    ['input', 'inputs', 'input_value'],
  ],
  [/\/models\/[^/:]+$/, ['inputs']],
  [/\/batches$/, ['input_file_id', 'requests']],
];

/** Fields that only models have. */
const sampling = [
  ...['max_tokens', 'maxTokens', 'max_new_tokens', 'max_output_tokens', 'maxOutputTokens'],
  ...['max_completion_tokens', 'n_predict', 'num_predict', 'temperature', 'top_p', 'topP'],
  ...['generationConfig', 'generation_config', 'inferenceConfig', 'stop_sequences'],
];

/** Requests about models that call none: counting tokens, batches that run already, fine-tuning, caches, stored prompts. */
const otherPurpose =
  /count-?_?tokens$|input_tokens$|\/(de)?tokenize$|\/batches\/|\/(fine[_-]tuning|tunedModels|cachedContents|files|uploads|prompts|prompt[-_]?templates)(\/|$)/i;

/** A count of tokens in an answer, and what text generation of Hugging Face answers. Quotes within texts are escaped. */
const countedTokens =
  /"(?:(?:prompt|completion|input|output|generated|candidates)_?token(?:s|s?_?count)|prompt_eval_count|tokens_(?:predicted|evaluated))"\s*:\s*\d|"generated_text"\s*:/i;

/** The model that a request asks, `{}` if it names none; `undefined` if it does not look like one of a model. */
export function unknownModelCall(request: SeenRequest): UnknownModelCall | undefined {
  const path = pathOf(request.url);
  if (request.method.toUpperCase() !== 'POST' || otherPurpose.test(path)) return undefined;
  const counts = request.answer !== undefined && countedTokens.test(edgesOf(request.answer.body));
  const asked = askedModel(request, path) ?? (counts ? {} : undefined);
  return asked && { ...asked, ...(counts && { counts_tokens: true }) };
}

function askedModel(request: SeenRequest, path: string): UnknownModelCall | undefined {
  const { url, answer } = request;
  const json = request.body.json();
  const isCalled = callAddresses.some((address) => address.test(path));
  const body = objectOf(json);
  if (body === undefined) {
    const form = json === undefined ? modelInForm(request.body.bytes()) : undefined;
    // A body that was not seen.
    return form ?? (isCalled || (isModelAddress(request) && json === undefined) ? {} : undefined);
  }
  const model = modelOf(body, path);
  if (isCalled || (model !== undefined && asks(body, prompts))) return model ? { model } : {};
  if (askedAddresses.some(([address, names]) => address.test(path) && asks(body, names))) return {};
  // Of this machine: an app or a tool of the user.
  if (isLoopback(url)) return undefined;
  const isStreamed =
    /event-stream/.test(answer?.headers['content-type'] ?? '') && asks(body, prompts);
  return isPrompt(body) || isStreamed ? {} : undefined;
}

/** True for a body that asks something; a query may also be that of a database. */
function asks(body: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => {
    const value = body[name];
    if (value == null || value === '') return false;
    if (name !== 'query') return true;
    return Array.isArray(value) || (typeof value === 'string' && !isGraphql.test(value));
  });
}

const isGraphql = /^\s*(\{|#|(query|mutation|subscription|fragment)\b[^{]*\{)/;

/** True for a body that is a prompt by itself: a conversation, a text for a model, or any question with settings of sampling. */
function isPrompt(body: JsonObject): boolean {
  const { messages, contents, prompt } = body;
  return (
    isConversation(messages) ||
    isConversation(contents) ||
    (prompt != null && prompt !== '') ||
    (sampling.some((name) => body[name] != null) && asks(body, prompts))
  );
}

function isConversation(value: Json | undefined): boolean {
  const [first] = Array.isArray(value) ? (value as readonly Json[]) : [];
  const { role, content, parts } = objectOf(first) ?? {};
  return parts != null || (role != null && content !== undefined);
}

function modelOf(body: JsonObject, path: string): string | undefined {
  const names = modelFields.map((field) => nameOf(body[field]));
  const given = names.find((name) => name !== undefined);
  if (given !== undefined) return given;
  const serving = objectOf(body.servingMode);
  const inPath = modelInPath.map((pattern) => partOfPath(path, pattern));
  return nameOf(serving?.modelId) ?? inPath.find((name) => name !== undefined);
}

/** The model of a form with a file, such as a transcription, or with a prompt. */
function modelInForm(bytes: Uint8Array): UnknownModelCall | undefined {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (body.subarray(0, 2).toString('latin1') !== '--') return undefined;
  const at = body.indexOf('name="model"');
  if (at === -1) return body.includes('name="prompt"') ? {} : undefined;
  const [, model] =
    /^name="model"[^\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]+)/.exec(
      body.subarray(at, at + 500).toString('utf8'),
    ) ?? [];
  return model === undefined ? {} : { model };
}

/** Bytes at both ends of an answer that are looked at: counts stand before or behind what is answered. */
const edge = 64 * 1024;

function edgesOf(body: Uint8Array): string {
  const text = (from: number, to?: number) =>
    Buffer.from(body.subarray(from, to)).toString('latin1');
  return body.length <= 2 * edge ? text(0) : `${text(0, edge)}\n${text(-edge)}`;
}

const methods =
  /^(initialize|ping)$|^(tools|resources|prompts|completion|logging|sampling|roots|elicitation|notifications)\//;

/** A request of the Model Context Protocol over HTTP; `undefined` for any other. Of a batch, the first. */
export function mcpRequest(body: Json | undefined): McpRequest | undefined {
  const request = objectOf(Array.isArray(body) ? (body as readonly Json[])[0] : body);
  const method = nameOf(request?.method);
  if (request?.jsonrpc !== '2.0' || method === undefined || !methods.test(method)) return undefined;
  const params = objectOf(request.params);
  const name = nameOf(params?.name) ?? nameOf(params?.uri);
  return { method, ...(name !== undefined && { name }) };
}

/** True for the address of a WebSocket to a model: of a provider, or of a gateway by the path of a known API. */
export function isModelSocket(url: string): boolean {
  if (/\/realtime(\/|$)|\.BidiGenerateContent/.test(pathOf(url))) return true;
  const provider = providerOfHost(url);
  return provider === 'aws.bedrock' ? /bedrock/.test(url) : provider !== undefined;
}
