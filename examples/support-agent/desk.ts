import { type Case, type Evaluator, evaluation, type TargetContext } from 'assay';
import { converse, type Tool } from './agent.js';
import { isCarrierUp, learn, newestPrompt, systemPrompt } from './script.js';

/** A tool that a ticket needs: what it is asked, and what it answers. */
interface DeskTool {
  readonly name: string;
  readonly input: unknown;
  readonly result: unknown;
}

/** A ticket as a case: what the customer wants, what is right, and which tools the agent needs for it. */
export interface DeskCase<Input, Reference, Answer> {
  readonly id: string;
  readonly input: Input;
  readonly reference?: Reference;
  readonly labels?: readonly string[];
  readonly tools?: readonly DeskTool[];
  readonly trials?: number;
  /** What the model says when it is right, and when it is wrong. */
  readonly good: Answer;
  readonly bad: Answer;
}

/** An evaluation of the desk's agent on tickets. */
export function desk<Input, Reference, Answer>(
  tickets: readonly DeskCase<Input, Reference, Answer>[],
  evaluators: readonly Evaluator<Input, Answer, Reference>[],
) {
  const toolsOf = new Map(tickets.map(({ id, tools = [] }) => [id, tools]));
  for (const { id, input, tools = [], good, bad } of tickets) {
    const turns = customerTexts(input).length;
    learn({ id, turns, tools, good: textOf(good), bad: textOf(bad) });
  }
  const cases = tickets.map(({ good, bad, tools = [], ...rest }) => ({
    ...rest,
    metadata: { tools: tools.map(({ name }) => name) },
  })) as Case<Input, Reference>[];
  return evaluation<Input, Reference, Answer>({
    cases,
    target: (ctx) => serve(ctx, toolsOf.get(ctx.caseId ?? '') ?? []),
    evaluators,
  });
}

async function serve<Input, Reference, Answer>(
  ctx: TargetContext<Input, Reference>,
  tools: readonly DeskTool[],
): Promise<Answer> {
  const { caseId: id = '', trial: seed = 0, signal } = ctx;
  const prompt = Number(ctx.params.prompt ?? newestPrompt);
  Object.assign(ctx.metadata, { prompt: `support/v${prompt}` });
  ctx.traceData.traceUrl = `https://traces.example/support/${encodeURIComponent(id)}`;
  const answer = await converse({
    system: systemPrompt(id, prompt),
    customer: customerTexts(ctx.input),
    tools: tools.map((tool) => toTool(tool, isCarrierUp(id, prompt, seed))),
    seed,
    signal,
  });
  return (answer.startsWith('{') ? JSON.parse(answer) : answer) as Answer;
}

class ToolError extends Error {
  override readonly name = 'ToolError';
}

function toTool({ name, result }: DeskTool, isUp: boolean): Tool {
  return {
    name,
    run: () => {
      if (!isUp) throw new ToolError(`${name} answered 503 and the agent gave up`);
      return result;
    },
  };
}

/** What the customer wrote: the messages of a ticket, its text, or the ticket itself. */
function customerTexts(input: unknown): readonly string[] {
  const { messages, text } = Object(input) as {
    messages?: readonly { readonly content: string }[];
    text?: string;
  };
  return messages?.map(({ content }) => content) ?? [text ?? textOf(input)];
}

/** A value as a customer or a grader reads it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
