import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionMessageToolCall } from 'openai/resources';
import { startModelServer } from './model-server.js';

/** A client as for the real API; only its address is that of the model of this example. */
export const openai = new OpenAI({ baseURL: await startModelServer(), apiKey: 'not needed' });

/** A tool that the agent offers to the model. Errors of `run` end the conversation. */
export interface Tool {
  readonly name: string;
  readonly run: (input: unknown) => unknown;
}

/** What the agent needs to know of a conversation. */
export interface Conversation {
  readonly system: string;
  /** The messages of the customer, one after the other. */
  readonly customer: readonly string[];
  readonly tools: readonly Tool[];
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Answers each message of the customer, calling tools as the model asks for them; the answer to the last one. */
export async function converse(conversation: Conversation): Promise<string> {
  const messages: ChatCompletionMessageParam[] = [{ role: 'system', content: conversation.system }];
  let answer = '';
  for (const content of conversation.customer) {
    messages.push({ role: 'user', content });
    answer = await reply(messages, conversation);
  }
  return answer;
}

async function reply(
  messages: ChatCompletionMessageParam[],
  { tools, seed, signal }: Conversation,
): Promise<string> {
  for (;;) {
    const stream = openai.chat.completions.stream(
      {
        model: 'gpt-5-mini',
        messages,
        seed,
        stream_options: { include_usage: true },
        ...(tools.length > 0 && { tools: tools.map(definition) }),
      },
      { signal },
    );
    const { message } = (await stream.finalChatCompletion()).choices[0] ?? {};
    if (message === undefined) throw new Error('the model said nothing');
    const { content, tool_calls: calls = [] } = message;
    messages.push({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) });
    if (calls.length === 0) return content ?? '';
    for (const call of calls) {
      messages.push({ role: 'tool', tool_call_id: call.id, content: use(tools, call) });
    }
  }
}

function definition({ name }: Tool) {
  const parameters = { type: 'object', additionalProperties: true };
  return { type: 'function' as const, function: { name, parameters } };
}

function use(tools: readonly Tool[], call: ChatCompletionMessageToolCall): string {
  if (call.type !== 'function') throw new Error(`no tool is ${call.type}`);
  const { name, arguments: input } = call.function;
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const result = tool.run(JSON.parse(input));
  console.log(`${name} → ok`);
  return JSON.stringify(result);
}
