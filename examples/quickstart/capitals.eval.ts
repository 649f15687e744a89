import { evaluation } from 'assay';

const answers: Record<string, string> = { France: 'Paris', Japan: 'Tokyo', Australia: 'Sydney' };

export const capital = evaluation({
  cases: [
    { id: 'france', input: 'France', reference: 'Paris' },
    { id: 'japan', input: 'Japan', reference: 'Tokyo' },
    { id: 'australia', input: 'Australia', reference: 'Canberra' },
  ],
  target: (ctx) => answers[ctx.input] ?? 'I do not know',
  evaluators: [({ output, reference }) => ({ key: 'exact', passed: output === reference })],
});
