import type { Json, JsonObject } from '../../model/result.js';
import { nameOf, objectOf } from './json.js';
import { partOfPath, pathOf } from './wire-format.js';

/** A request that may be one of a model. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  /** As JSON; absent for any other. */
  readonly json: Json | undefined;
  /** The body, as far as it was seen. */
  readonly bytes: () => Uint8Array;
  /** The address is that of a known format. */
  readonly isKnownAddress: boolean;
}

/** What a model is asked. */
const prompts = [
  ...['messages', 'message', 'prompt', 'prompts', 'input', 'inputs', 'query', 'queries'],
  ...['contents', 'content', 'text', 'texts', 'instances', 'requests', 'documents'],
];

const modelFields = ['model', 'model_id', 'modelId', 'model_name', 'modelName'];

/** Addresses that name a model: of Gemini, Vertex AI, Azure, SageMaker, Databricks, Replicate; Hugging Face; Cloudflare. */
const modelInPath = [
  /\/(?:models?|tunedModels|endpoints|deployments|engines)\/([^/:]+):\w+$/,
  /\/(?:models?|endpoints|deployments|engines|serving-endpoints)\/([^:]+?)\/(?:chat\/completions|completions|embeddings|responses|images\/\w+|audio\/\w+|invocations|invoke[\w-]*|converse[\w-]*|predictions)$/,
  /\/models\/([^/:]+\/[^/:]+)$/,
  /\/ai\/run\/(.+)$/,
];

/** Addresses of calls whose model is named elsewhere: assistants, agents, gateways, predictions, Google by gRPC. */
const otherAddresses =
  /\/threads(\/[^/]+)?\/runs$|\/retrieveAndGenerate(Stream)?$|\/agentAliases\/[^/]+\/sessions\/[^/]+\/text$|\/ai\/(language|embedding|image|reranking)-model$|\/v1\/predictions$|\/google\.(ai\.generativelanguage|cloud\.aiplatform)\.\w+\.\w+\/\w*(Generate|Predict|Embed)\w*$/;

/** Addresses of requests with a file, whose body may be too long to be seen. */
const fileAddresses = /\/audio\/(transcriptions|translations)$/;

/** Requests about models that call none: counting tokens, files of batches, fine-tuning, caches. */
const otherPurpose =
  /count-?_?tokens$|input_tokens$|\/(de)?tokenize$|\/(fine[_-]tuning|tunedModels|cachedContents|batches|files|uploads)(\/|$)/i;

/** The model that a request asks, `{}` if it names none; `undefined` if it does not look like one of a model. */
export function unknownModelCall({
  method,
  url,
  json,
  bytes,
  isKnownAddress,
}: SeenRequest): { readonly model?: string } | undefined {
  const path = pathOf(url);
  if (method.toUpperCase() !== 'POST' || otherPurpose.test(path)) return undefined;
  const isCalled = [otherAddresses, fileAddresses].some((address) => address.test(path));
  const body = objectOf(json);
  if (body !== undefined) {
    const model = modelOf(body, path);
    const isAsked = prompts.some((name) => body[name] != null);
    if (model !== undefined && (isAsked || body.chatRequest !== undefined)) return { model };
    return otherAddresses.test(path) ? {} : undefined;
  }
  if (json !== undefined) return undefined;
  const form = modelInForm(bytes());
  if (form !== undefined) return form;
  // A body that was not seen.
  return isCalled || isKnownAddress ? {} : undefined;
}

function modelOf(body: JsonObject, path: string): string | undefined {
  const names = modelFields.map((field) => nameOf(body[field]));
  const given = names.find((name) => name !== undefined);
  if (given !== undefined) return given;
  const serving = objectOf(body.servingMode);
  const inPath = modelInPath.map((pattern) => partOfPath(path, pattern));
  return nameOf(serving?.modelId) ?? inPath.find((name) => name !== undefined);
}

/** The model of a form with a file, such as a transcription. */
function modelInForm(bytes: Uint8Array): { readonly model?: string } | undefined {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (body.subarray(0, 2).toString('latin1') !== '--') return undefined;
  const at = body.indexOf('name="model"');
  if (at === -1) return undefined;
  const [, model] =
    /^name="model"[^\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]+)/.exec(
      body.subarray(at, at + 500).toString('utf8'),
    ) ?? [];
  return model === undefined ? {} : { model };
}
