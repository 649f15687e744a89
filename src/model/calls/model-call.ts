import { isNumber, type Json, type JsonObject } from '../json.js';
import { type InJson, type ObjectOf, optional } from '../shapes.js';

/** The maker of a call: the target, the body of the evaluation, one of its evaluators (`evaluator:<name>`), or the file while it was imported or its cases were loaded. */
export type CallRole = 'target' | 'body' | 'file' | `evaluator:${string}`;

/** Recording level of HTTP calls: everything, numbers without text, or nothing. */
export const captures = ['full', 'usage', 'off'] as const;
export type Capture = (typeof captures)[number];

/** Tokens as providers count them; a field is absent where none says anything of it. */
export const tokenCounts = {
  /** All input tokens, cached ones included. */
  input: optional(isNumber),
  /** The part of `input` that was read from the provider's cache. */
  cache_read: optional(isNumber),
  /** The part of `input` that was written to the provider's cache. */
  cache_write: optional(isNumber),
  /** The part of `cache_write` that is kept for an hour; absent for none. */
  cache_write_1h: optional(isNumber),
  /** All output tokens, reasoning included. */
  output: optional(isNumber),
  /** The part of `output` that was reasoning. */
  reasoning: optional(isNumber),
  /** The parts of `input` and `output` that were sound; absent for none. */
  input_audio: optional(isNumber),
  output_audio: optional(isNumber),
  /** Tokens that the provider bills, where it counts them apart from those that the model read and wrote. */
  billed_input: optional(isNumber),
  billed_output: optional(isNumber),
  /** Searches that the provider bills instead of tokens: of rerankers. */
  searches: optional(isNumber),
};

export interface TokenUsage extends InJson<ObjectOf<typeof tokenCounts>> {}

/** A tool call that a model asked for. */
export interface ToolCall {
  readonly id?: string;
  readonly name: string;
  /** Parsed arguments; the text itself if it is not JSON. */
  readonly arguments: Json;
  /** The arguments are no JSON. */
  readonly not_json?: true;
}

/** A tool that ran, or a span of the app's own OpenTelemetry. */
export interface Span {
  readonly kind: 'tool' | 'span';
  /** Of a tool: the id of the tool call that asked for it. Otherwise the id of the span. */
  readonly id: string;
  /** Id of the span around it. */
  readonly parent?: string;
  readonly name: string;
  readonly role: CallRole;
  /** Seconds after the attempt began. */
  readonly start: number;
  /** Seconds after the attempt began; absent when it had not ended when the attempt was stored. */
  readonly end?: number;
  /** The error, as one line. */
  readonly error?: string;
  /** Arguments and result of a tool. */
  readonly arguments?: Json;
  readonly result?: Json;
  /** The attributes of a span. */
  readonly attributes?: JsonObject;
}

/** The calls and spans of an attempt. */
export interface Trace {
  readonly calls: readonly Call[];
  readonly spans?: readonly Span[];
  /** Some are missing, because their line of the log is damaged. */
  readonly unreadable?: true;
}

/** One message of a conversation, in the shape of OpenAI's chat messages whatever the provider's format; other content is kept in `content` parts. */
export type CallMessage = JsonObject & { readonly role: string };

/** An exchange with a model, read from its request and answer; values that neither contains are absent. */
export interface ModelExchange {
  /** `openai`, `mistral`, `groq` …: by host, else by the setting `prices`, else by the shape of the wire. */
  readonly provider: string;
  /** `gen_ai.operation.name`: `chat`, `text_completion`, `embeddings`, `generate_content`, `rerank`, `moderation`. */
  readonly operation: string;
  /** The model that was asked for. */
  readonly model?: string;
  /** The model that answered. */
  readonly response_model?: string;
  readonly response_id?: string;
  /** The messages that were sent, system prompt first. */
  readonly messages?: readonly CallMessage[];
  /** The answer: usually one message of the assistant, with its `tool_calls`. */
  readonly answer?: readonly CallMessage[];
  readonly tool_calls?: readonly ToolCall[];
  /** Tools offered, as they were sent. */
  readonly tools?: readonly Json[];
  /** Temperature, maximum of tokens and the like, as they were sent. */
  readonly parameters?: JsonObject;
  /** `stop`, `length`, `tool_calls`, `content_filter` …, as the provider spells it. */
  readonly finish_reason?: string;
  readonly usage?: TokenUsage;
  /** US dollars that the provider says it charges. */
  readonly reported_cost?: number;
  /** True when the answer came as a stream. */
  readonly stream?: boolean;
  /** True when a streamed answer ended without its terminal event. */
  readonly cut?: boolean;
  /** The error that the provider answered, as one line. */
  readonly error?: string;
}

/** One HTTP call that an attempt made; or a program that it started, whose calls are not seen. */
export interface Call {
  /** Position among the calls of its attempt, from 1. */
  readonly number: number;
  readonly role: CallRole;
  /** Id of the span around it. */
  readonly parent?: string;
  readonly method: string;
  /** Without user, password and query values that are not on the allow-list. */
  readonly url: string;
  /** Absent when no answer came. */
  readonly status?: number;
  /** Seconds after the attempt began. */
  readonly start: number;
  /** Seconds after the attempt began; absent if unknown. */
  readonly first_token?: number;
  /** Seconds after the attempt began; absent when the call had not ended when the attempt was stored. */
  readonly end?: number;
  /** Bytes of the request's and the answer's body. */
  readonly request_size?: number;
  readonly response_size?: number;
  /** Headers on the allow-list, of the answer. */
  readonly headers?: { readonly [name: string]: string };
  /** The reason for a missing answer, as one line. */
  readonly error?: string;
  /** Number of the call that this one repeats. */
  readonly retry_of?: number;
  /** Seconds for which it was held before it was made; absent for none. */
  readonly waited?: number;
  /** True when it was answered from a recording, and so neither took its time nor cost anything. */
  readonly replayed?: boolean;
  /** Seconds that a replayed call took when it was recorded; absent with recordings that do not say it. */
  readonly recorded_duration?: number;
  /**
   * Name of its recording in the folder of its attempt: it was recorded, or answers the call. For a `shared` one, path in the
   * folder of its eval file; with a leading `/`, in that of all recordings.
   */
  readonly recording?: string;
  /** True where the recording is that of another attempt, or of several. */
  readonly shared?: boolean;
  /** True when it ended after its attempt. */
  readonly late?: boolean;
  /** The parts that could not be recorded, as a sentence. */
  readonly note?: string;
  /** US dollars; `null` when its price is not known, absent when it was not priced. */
  readonly cost?: number | null;
  /** Absent where the exchange was not recognised. */
  readonly model_call?: ModelExchange;
  /** Present where the request looks like one to a model, but nothing else of it is understood. */
  readonly unknown_model_call?: UnknownModelCall;
  /** A request of the Model Context Protocol. */
  readonly mcp?: McpRequest;
  /** Name of a program: this is no call, but may make some. */
  readonly program?: string;
}

/** What is known of a call of a model that is not understood. */
export interface UnknownModelCall {
  /** The model that it names. */
  readonly model?: string;
  /** Its answer counts tokens, so that it may cost something even where it is an error. */
  readonly counts_tokens?: true;
}

/** A request of the Model Context Protocol. */
export interface McpRequest {
  /** `tools/call`, `tools/list`, … */
  readonly method: string;
  /** The tool, prompt or resource that it names. */
  readonly name?: string;
}
