import { evaluation, fromJsonl } from 'assay';
import { schema } from 'assay/graders';
import type { z } from 'zod';
import { extract, invoice } from './extract.js';

interface InvoiceCase {
  readonly id: string;
  readonly input: string;
  readonly reference: z.infer<typeof invoice>;
}

const fields = invoice.keyof().options;

export const invoices = evaluation({
  cases: fromJsonl<InvoiceCase>(new URL('./invoices.jsonl', import.meta.url)),
  target: ({ input }) => extract(input),
  evaluators: [
    schema(invoice),
    // A score for each field says which one the model gets wrong.
    ({ output, reference }) =>
      fields.map((key) => {
        const [got, wanted] = [output[key], reference[key]];
        const notes = `${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`;
        return got === wanted ? { key, passed: true } : { key, passed: false, notes };
      }),
  ],
});
