import { type Case, type Evaluator, evaluation, type TargetContext } from 'assay';
import { answer, isRight, newestPrompt, type Ticket, type ToolCall } from './agent.js';

/** A ticket as a case: what the customer wants, what is right, and which tools the agent needs for it. */
export interface DeskCase<Input, Reference, Answer> extends Ticket<Answer> {
  readonly input: Input;
  readonly reference?: Reference;
  readonly labels?: readonly string[];
  readonly tools?: readonly ToolCall[];
  readonly trials?: number;
}

/** An evaluation of the desk's agent on tickets. */
export function desk<Input, Reference, Answer>(
  tickets: readonly DeskCase<Input, Reference, Answer>[],
  evaluators: readonly Evaluator<Input, Answer, Reference>[],
) {
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]));
  const cases = tickets.map(({ good, bad, tools = [], ...rest }) => ({
    ...rest,
    metadata: { tools: tools.map(({ name }) => name) },
  })) as Case<Input, Reference>[];
  return evaluation<Input, Reference, Answer>({
    cases,
    target: (ctx) => serve(ctx, byId.get(ctx.caseId ?? '')),
    evaluators,
  });
}

class ToolError extends Error {
  override readonly name = 'ToolError';
}

async function serve<Input, Reference, Answer>(
  ctx: TargetContext<Input, Reference>,
  ticket: DeskCase<Input, Reference, Answer> | undefined,
): Promise<Answer> {
  if (ticket === undefined) throw new TypeError(`no ticket ${ctx.caseId}`);
  const prompt = Number(ctx.params.prompt ?? newestPrompt);
  const trial = ctx.trial ?? 0;
  const { answer: output, seconds } = await answer(ticket, prompt, trial, ctx.signal);
  ctx.latency = seconds;
  const { tools = [] } = ticket;
  const isCareful = isRight(`tools ${ticket.id}`, prompt, trial);
  if (!isRight(`carrier ${ticket.id}`, prompt + 12, trial)) {
    throw new ToolError(`${tools[0]?.name ?? 'the model'} answered 503 and the agent gave up`);
  }
  const calls = isCareful ? tools : tools.slice(0, -1);
  Object.assign(ctx.metadata, { prompt: `support/v${prompt}`, model: 'house-large' });
  console.log(`agent: ${calls.length} tools, temperature 0.2`);
  for (const { name } of calls) console.log(`${name} → ok`);
  ctx.traceData.traceUrl = `https://traces.example/support/${encodeURIComponent(ticket.id)}`;
  ctx.traceData.messages = [
    ...userMessages(ctx.input),
    ...calls.flatMap(({ name, input, result }, n) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `${n}`, function: { name, arguments: JSON.stringify(input) } }],
      },
      { role: 'tool', tool_call_id: `${n}`, content: JSON.stringify(result) },
    ]),
    { role: 'assistant', content: textOf(output) },
  ];
  ctx.traceData.calls = calls;
  return output;
}

/** What the customer wrote: the messages of a ticket, its text, or the ticket itself. */
function userMessages(input: unknown): readonly unknown[] {
  const { messages, text } = Object(input) as { messages?: readonly unknown[]; text?: string };
  return messages ?? [{ role: 'user', content: text ?? textOf(input) }];
}

/** A value as a customer or a grader reads it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
