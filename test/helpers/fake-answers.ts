import { crc32 } from 'node:zlib';

/** A tool call of a scripted answer. */
interface FakeToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the model of the fake provider says, whatever the wire. */
export interface FakeSaid {
  readonly text: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly FakeToolCall[];
  /** All input, cached one included, as `TokenUsage` counts. */
  readonly usage: {
    readonly input: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly output: number;
    readonly reasoning: number;
  };
  /** Streams end with an event that says this error. */
  readonly streamError?: string;
}

/** An answer on the wire: one body, or the pieces of a stream. */
export interface FakeAnswer {
  readonly type: string;
  readonly pieces: readonly Buffer[];
  readonly isStream: boolean;
}

type Json = Record<string, unknown>;

/** The answer of the API that a path belongs to; absent for paths of none. */
export function fakeAnswer(
  path: string,
  body: Json,
  model: string,
  said: FakeSaid,
): FakeAnswer | undefined {
  const isStream = body.stream === true;
  if (path.endsWith('/chat/completions'))
    return isStream ? sse(chatEvents(body, model, said)) : json(chat(model, said));
  if (path.endsWith('/responses'))
    return isStream ? sse(responseEvents(model, said), true) : json(response(model, said));
  if (path.endsWith('/messages'))
    return isStream ? sse(anthropicEvents(model, said), true) : json(anthropic(model, said));
  if (path.endsWith(':generateContent')) return json(google(model, said, said.text, true));
  if (path.endsWith(':streamGenerateContent')) return googleStream(path, googleChunks(model, said));
  if (path.endsWith(':streamGenerateContent?alt=sse')) return sse(googleChunks(model, said));
  if (/:(embedContent)$/.test(path)) return json({ embedding: { values: vector } });
  if (/:(batchEmbedContents)$/.test(path)) return json({ embeddings: [{ values: vector }] });
  if (path.endsWith('/converse')) return json(converse(said));
  if (path.endsWith('/converse-stream')) return frames(converseEvents(said), said.streamError);
  if (path.endsWith('/invoke')) return json(anthropic(model, said));
  if (path.endsWith('/invoke-with-response-stream'))
    return frames(invokeEvents(model, said), said.streamError);
  if (path.endsWith('/api/chat') || path.endsWith('/api/generate'))
    return ollama(path, body, model, said);
  if (path.endsWith('/api/embed')) {
    return json({ model, embeddings: [vector], prompt_eval_count: said.usage.input });
  }
  if (path.endsWith('/embeddings')) {
    const usage = { prompt_tokens: said.usage.input, total_tokens: said.usage.input };
    const inputs = Array.isArray(body.input) ? body.input : [body.input];
    const data = inputs.map((_, index) => ({ object: 'embedding', index, embedding: vector }));
    return json({ object: 'list', data, model, usage });
  }
  if (path.endsWith('/completions'))
    return isStream ? sse(completionEvents(model, said)) : json(completion(model, said));
  return undefined;
}

/** A stream of these events, as the API of a path frames them; events of Bedrock have their name as their only key. */
export function fakeStream(path: string, events: readonly object[]): FakeAnswer {
  if (!path.endsWith('/converse-stream')) return sse(events, 'type' in (events[0] ?? {}));
  const pieces = events
    .flatMap((event) => Object.entries(event))
    .map(([name, payload]) => {
      const kind = name.endsWith('Exception') ? 'exception' : 'event';
      return frame({ ':message-type': kind, [`:${kind}-type`]: name }, payload);
    });
  return { type: 'application/vnd.amazon.eventstream', pieces, isStream: true };
}

const vector = [0.25, -0.5, 0.125];
const created = 1_760_000_000;

function json(value: unknown): FakeAnswer {
  return {
    type: 'application/json',
    pieces: [Buffer.from(JSON.stringify(value))],
    isStream: false,
  };
}

function sse(events: readonly unknown[], isNamed = false): FakeAnswer {
  const pieces = events.map((event) => {
    const name = isNamed ? `event: ${(event as { type: string }).type}\n` : '';
    return Buffer.from(
      `${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`,
    );
  });
  return { type: 'text/event-stream; charset=utf-8', pieces, isStream: true };
}

/** A text in pieces of a few characters, as tokens come. */
function inPieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}

function chatUsage({ usage }: FakeSaid): Json {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: 0 },
  };
}

function chat(model: string, said: FakeSaid): Json {
  const calls = said.toolCalls ?? [];
  const message = {
    role: 'assistant',
    content: calls.length > 0 && said.text === '' ? null : said.text,
    refusal: null,
    annotations: [],
    ...(calls.length > 0 && { tool_calls: calls.map(chatToolCall) }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: chatReason(said) };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created,
    model,
    choices: [choice],
    usage: chatUsage(said),
  };
}

function chatReason(said: FakeSaid): string {
  return (said.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop';
}

function chatToolCall(call: FakeToolCall): Json {
  const text = JSON.stringify(call.arguments);
  return { id: call.id, type: 'function', function: { name: call.name, arguments: text } };
}

function chatEvents(body: Json, model: string, said: FakeSaid): unknown[] {
  const chunk = (delta: Json, finish_reason: string | null = null) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const events: unknown[] = [chunk({ role: 'assistant', content: '', refusal: null })];
  for (const content of inPieces(said.text)) events.push(chunk({ content }));
  for (const [index, call] of (said.toolCalls ?? []).entries()) {
    const head = { name: call.name, arguments: '' };
    events.push(chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: head }] }));
    for (const piece of inPieces(JSON.stringify(call.arguments))) {
      events.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  if (said.streamError !== undefined) {
    return [...events, { error: { message: said.streamError, type: 'server_error', code: null } }];
  }
  events.push(chunk({}, chatReason(said)));
  const { include_usage: withUsage } = (body.stream_options ?? {}) as { include_usage?: boolean };
  if (withUsage === true) events.push({ ...chunk({}), choices: [], usage: chatUsage(said) });
  return [...events, '[DONE]'];
}

function completion(model: string, said: FakeSaid): Json {
  const choice = { text: said.text, index: 0, logprobs: null, finish_reason: 'stop' };
  return {
    id: 'cmpl-1',
    object: 'text_completion',
    created,
    model,
    choices: [choice],
    usage: chatUsage(said),
  };
}

function completionEvents(model: string, said: FakeSaid): unknown[] {
  const chunk = (text: string, finish_reason: string | null) => ({
    id: 'cmpl-1',
    object: 'text_completion',
    created,
    model,
    choices: [{ text, index: 0, logprobs: null, finish_reason }],
  });
  return [...inPieces(said.text).map((text) => chunk(text, null)), chunk('', 'stop'), '[DONE]'];
}

function responseItems(said: FakeSaid): Json[] {
  const items: Json[] = [];
  if (said.reasoning !== undefined) {
    items.push({
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: said.reasoning }],
    });
  }
  if (said.text !== '') {
    const content = [{ type: 'output_text', text: said.text, annotations: [], logprobs: [] }];
    items.push({ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content });
  }
  for (const call of said.toolCalls ?? []) {
    const args = JSON.stringify(call.arguments);
    items.push({
      type: 'function_call',
      id: `fc_${call.id}`,
      call_id: call.id,
      name: call.name,
      arguments: args,
      status: 'completed',
    });
  }
  return items;
}

function response(model: string, said: FakeSaid, status = 'completed'): Json {
  const { usage } = said;
  const isDone = status === 'completed';
  return {
    id: 'resp_1',
    object: 'response',
    created_at: created,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    model,
    output: isDone ? responseItems(said) : [],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: isDone
      ? {
          input_tokens: usage.input,
          input_tokens_details: {
            cached_tokens: usage.cacheRead,
            cache_write_tokens: usage.cacheWrite,
          },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning },
          total_tokens: usage.input + usage.output,
        }
      : null,
  };
}

function responseEvents(model: string, said: FakeSaid): unknown[] {
  const events: Json[] = [
    { type: 'response.created', response: response(model, said, 'in_progress') },
    { type: 'response.in_progress', response: response(model, said, 'in_progress') },
  ];
  for (const [output_index, item] of responseItems(said).entries()) {
    const at = { output_index, item_id: item.id };
    const begun = { ...item, status: 'in_progress', content: [], summary: [], arguments: '' };
    events.push({ type: 'response.output_item.added', output_index, item: begun });
    if (item.type === 'reasoning') {
      const text = said.reasoning ?? '';
      events.push({
        type: 'response.reasoning_summary_part.added',
        ...at,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      });
      for (const delta of inPieces(text)) {
        events.push({
          type: 'response.reasoning_summary_text.delta',
          ...at,
          summary_index: 0,
          delta,
        });
      }
      events.push({
        type: 'response.reasoning_summary_part.done',
        ...at,
        summary_index: 0,
        part: { type: 'summary_text', text },
      });
    } else if (item.type === 'message') {
      const part = { type: 'output_text', text: '', annotations: [] };
      events.push({ type: 'response.content_part.added', ...at, content_index: 0, part });
      for (const delta of inPieces(said.text)) {
        events.push({
          type: 'response.output_text.delta',
          ...at,
          content_index: 0,
          delta,
          logprobs: [],
        });
      }
      events.push({
        type: 'response.output_text.done',
        ...at,
        content_index: 0,
        text: said.text,
        logprobs: [],
      });
      events.push({
        type: 'response.content_part.done',
        ...at,
        content_index: 0,
        part: { ...part, text: said.text },
      });
    } else {
      for (const delta of inPieces(String(item.arguments))) {
        events.push({ type: 'response.function_call_arguments.delta', ...at, delta });
      }
      events.push({
        type: 'response.function_call_arguments.done',
        ...at,
        name: item.name,
        arguments: item.arguments,
      });
    }
    events.push({ type: 'response.output_item.done', output_index, item });
  }
  const last =
    said.streamError === undefined
      ? { type: 'response.completed', response: response(model, said) }
      : { type: 'error', code: 'server_error', message: said.streamError, param: null };
  return [...events, last].map((event, sequence_number) => ({ ...event, sequence_number }));
}

function anthropicUsage({ usage }: FakeSaid): Json {
  return {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: usage.output,
  };
}

function anthropicBlocks(said: FakeSaid): Json[] {
  return [
    ...(said.reasoning === undefined
      ? []
      : [{ type: 'thinking', thinking: said.reasoning, signature: 'c2ln' }]),
    ...(said.text === '' ? [] : [{ type: 'text', text: said.text }]),
    ...(said.toolCalls ?? []).map(({ id, name, arguments: input }) => ({
      type: 'tool_use',
      id,
      name,
      input,
    })),
  ];
}

function anthropic(model: string, said: FakeSaid): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: anthropicBlocks(said),
    stop_reason: anthropicReason(said),
    stop_sequence: null,
    usage: anthropicUsage(said),
  };
}

function anthropicReason(said: FakeSaid): string {
  return (said.toolCalls ?? []).length > 0 ? 'tool_use' : 'end_turn';
}

function anthropicEvents(model: string, said: FakeSaid): Json[] {
  const usage = anthropicUsage(said);
  const message = {
    ...anthropic(model, said),
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  };
  const events: Json[] = [{ type: 'message_start', message }, { type: 'ping' }];
  for (const [index, block] of anthropicBlocks(said).entries()) {
    const delta = (change: Json) =>
      events.push({ type: 'content_block_delta', index, delta: change });
    if (block.type === 'thinking') {
      events.push({
        type: 'content_block_start',
        index,
        content_block: { ...block, thinking: '', signature: '' },
      });
      for (const thinking of inPieces(said.reasoning ?? ''))
        delta({ type: 'thinking_delta', thinking });
      delta({ type: 'signature_delta', signature: 'c2ln' });
    } else if (block.type === 'text') {
      events.push({ type: 'content_block_start', index, content_block: { ...block, text: '' } });
      for (const text of inPieces(said.text)) delta({ type: 'text_delta', text });
    } else {
      events.push({ type: 'content_block_start', index, content_block: { ...block, input: {} } });
      delta({ type: 'input_json_delta', partial_json: '' });
      for (const piece of inPieces(JSON.stringify(block.input)))
        delta({ type: 'input_json_delta', partial_json: piece });
    }
    events.push({ type: 'content_block_stop', index });
  }
  if (said.streamError !== undefined) {
    return [
      ...events,
      { type: 'error', error: { type: 'overloaded_error', message: said.streamError } },
    ];
  }
  const end = { stop_reason: anthropicReason(said), stop_sequence: null };
  events.push({ type: 'message_delta', delta: end, usage: { output_tokens: said.usage.output } });
  return [...events, { type: 'message_stop' }];
}

function google(model: string, said: FakeSaid, text: string, isLast: boolean): Json {
  const { usage } = said;
  const parts = [
    ...(text === '' ? [] : [{ text }]),
    ...(isLast
      ? (said.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
          functionCall: { id, name, args },
        }))
      : []),
  ];
  return {
    candidates: [
      { content: { parts, role: 'model' }, ...(isLast && { finishReason: 'STOP' }), index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      ...(isLast && {
        candidatesTokenCount: usage.output - usage.reasoning,
        thoughtsTokenCount: usage.reasoning,
      }),
      cachedContentTokenCount: usage.cacheRead,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: model,
    responseId: 'resp-g1',
  };
}

function googleChunks(model: string, said: FakeSaid): Json[] {
  const texts = inPieces(said.text);
  const chunks = texts.map((text) => google(model, said, text, false));
  if (said.streamError !== undefined) {
    return [...chunks, { error: { code: 503, message: said.streamError, status: 'UNAVAILABLE' } }];
  }
  return [...chunks, google(model, said, '', true)];
}

function googleStream(path: string, chunks: readonly Json[]): FakeAnswer {
  const pieces = chunks.map((chunk, at) =>
    Buffer.from(`${at === 0 ? '[' : ',\r\n'}${JSON.stringify(chunk)}`),
  );
  const type = path === '' ? '' : 'application/json; charset=UTF-8';
  return { type, pieces: [...pieces, Buffer.from(']\n')], isStream: true };
}

function converseUsage({ usage }: FakeSaid): Json {
  return {
    inputTokens: usage.input - usage.cacheRead - usage.cacheWrite,
    outputTokens: usage.output,
    totalTokens: usage.input + usage.output,
    cacheReadInputTokens: usage.cacheRead,
    cacheWriteInputTokens: usage.cacheWrite,
  };
}

function converse(said: FakeSaid): Json {
  const content = [
    ...(said.text === '' ? [] : [{ text: said.text }]),
    ...(said.toolCalls ?? []).map(({ id, name, arguments: input }) => ({
      toolUse: { toolUseId: id, name, input },
    })),
  ];
  const output = { message: { role: 'assistant', content } };
  return {
    output,
    stopReason: anthropicReason(said),
    usage: converseUsage(said),
    metrics: { latencyMs: 7 },
  };
}

function converseEvents(said: FakeSaid): [string, Json][] {
  const events: [string, Json][] = [['messageStart', { role: 'assistant' }]];
  let contentBlockIndex = 0;
  for (const text of inPieces(said.text)) {
    events.push(['contentBlockDelta', { contentBlockIndex, delta: { text } }]);
  }
  if (said.text !== '') {
    events.push(['contentBlockStop', { contentBlockIndex }]);
    contentBlockIndex += 1;
  }
  for (const { id, name, arguments: input } of said.toolCalls ?? []) {
    events.push([
      'contentBlockStart',
      { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } },
    ]);
    for (const piece of inPieces(JSON.stringify(input))) {
      events.push([
        'contentBlockDelta',
        { contentBlockIndex, delta: { toolUse: { input: piece } } },
      ]);
    }
    events.push(['contentBlockStop', { contentBlockIndex }]);
    contentBlockIndex += 1;
  }
  if (said.streamError !== undefined) return events;
  events.push(['messageStop', { stopReason: anthropicReason(said) }]);
  return [...events, ['metadata', { usage: converseUsage(said), metrics: { latencyMs: 7 } }]];
}

function invokeEvents(model: string, said: FakeSaid): [string, Json][] {
  return anthropicEvents(model, said)
    .filter(({ type }) => type !== 'error')
    .map((event) => [
      'chunk',
      { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcd' },
    ]);
}

function frames(events: readonly [string, Json][], error: string | undefined): FakeAnswer {
  const pieces = events.map(([name, payload]) =>
    frame({ ':message-type': 'event', ':event-type': name }, payload),
  );
  if (error !== undefined) {
    pieces.push(
      frame(
        { ':message-type': 'exception', ':exception-type': 'throttlingException' },
        { message: error },
      ),
    );
  }
  return { type: 'application/vnd.amazon.eventstream', pieces, isStream: true };
}

/** A message of the AWS event stream, with its checksums. */
export function frame(headers: Readonly<Record<string, string>>, payload: unknown): Buffer {
  const told = Object.entries({ ...headers, ':content-type': 'application/json' }).map(
    ([name, value]) => {
      const head = Buffer.from([
        name.length,
        ...Buffer.from(name),
        7,
        value.length >> 8,
        value.length & 255,
      ]);
      return Buffer.concat([head, Buffer.from(value)]);
    },
  );
  const body = Buffer.concat([...told, Buffer.from(JSON.stringify(payload))]);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(body.length + 16, 0);
  prelude.writeUInt32BE(
    told.reduce((sum, header) => sum + header.length, 0),
    4,
  );
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(Buffer.concat([prelude, body])), 0);
  return Buffer.concat([prelude, body, end]);
}

function ollama(path: string, body: Json, model: string, said: FakeSaid): FakeAnswer {
  const told = (content: string, isLast: boolean): Json => {
    const tool_calls = (said.toolCalls ?? []).map(({ name, arguments: args }) => ({
      function: { name, arguments: args },
    }));
    const message = {
      role: 'assistant',
      content,
      ...(isLast && tool_calls.length > 0 && { tool_calls }),
    };
    return path.endsWith('/chat') ? { message } : { response: content };
  };
  const head = { model, created_at: '2026-01-01T00:00:00Z' };
  const end = {
    done: true,
    done_reason: 'stop',
    total_duration: 5,
    prompt_eval_count: said.usage.input,
    eval_count: said.usage.output,
  };
  // Ollama streams where nothing else is asked for.
  if (body.stream === false) return json({ ...head, ...told(said.text, true), ...end });
  const events: Json[] = inPieces(said.text).map((text) => ({
    ...head,
    ...told(text, false),
    done: false,
  }));
  events.push(
    said.streamError === undefined
      ? { ...head, ...told('', true), ...end }
      : { error: said.streamError },
  );
  const pieces = events.map((event) => Buffer.from(`${JSON.stringify(event)}\n`));
  return { type: 'application/x-ndjson', pieces, isStream: true };
}
