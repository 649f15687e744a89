import OpenAI from 'openai';
import { z } from 'zod';
import { startModelServer } from './model-server.js';

/** A client as for the real API, with its key from the environment; only its address is that of the model of this example. */
const openai = new OpenAI({ baseURL: await startModelServer() });

/** The fields of an invoice. `null`: the text does not say. */
export const invoice = z.object({
  supplier: z.string(),
  number: z.string(),
  total: z.number(),
  currency: z.enum(['EUR', 'GBP', 'USD']),
  due: z.iso.date().nullable(),
});

/** An invoice as the model gives it: any field may be wrong, of another type, or absent. */
export type Extracted = Partial<Record<keyof z.infer<typeof invoice>, unknown>>;

/** Reads the fields of an invoice from its text. */
export async function extract(text: string): Promise<Extracted> {
  const { choices } = await openai.chat.completions.create({
    model: 'gpt-5-mini',
    messages: [
      {
        role: 'system',
        content: 'Extract the fields of the invoice. Use null for what it does not say.',
      },
      { role: 'user', content: text },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'invoice', schema: z.toJSONSchema(invoice) },
    },
  });
  return JSON.parse(choices[0]?.message.content ?? '{}') as Extracted;
}
