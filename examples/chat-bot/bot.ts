import OpenAI from 'openai';
import { startModelServer } from './model-server.js';

/** A client as for the real API, with its key from the environment; only its address is that of the model of this example. */
const openai = new OpenAI({ baseURL: await startModelServer() });

/** A message of a conversation. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** How many of the last messages the model sees. */
const memory = 5;

/** Answers each message of a customer in turn; the whole conversation. */
export async function chat(customer: readonly string[]): Promise<readonly Message[]> {
  const conversation: Message[] = [];
  for (const content of customer) {
    conversation.push({ role: 'user', content });
    const { choices } = await openai.chat.completions.create({
      model: 'gpt-5-mini',
      messages: [
        {
          role: 'system',
          content: 'You are the bot of a shop. You help with orders, in one sentence.',
        },
        ...conversation.slice(-memory),
      ],
    });
    conversation.push({ role: 'assistant', content: choices[0]?.message.content ?? '' });
  }
  return conversation;
}
