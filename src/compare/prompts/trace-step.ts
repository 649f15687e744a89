import type { StoredCall, StoredCalls } from '../../model/calls/stored-calls.js';
import { isObject, type Json } from '../../model/json.js';
import type { Parting } from './compare-prompts.js';
import { isToolAnswer, spokenPlaces, textOf, tracedCalls } from './request-facts.js';

/** A step of a trace in words. */
type TraceStep =
  /** The trace has ended before. */
  | { readonly kind: 'none' }
  | { readonly kind: 'message' | 'tool' | 'answer'; readonly role: string; readonly text: string }
  | {
      readonly kind: 'calls';
      readonly tools: readonly { readonly name: string; readonly arguments: Json }[];
    };

/** How one run goes on where the traces part. */
export interface TraceSide {
  /** Calls of the trace. */
  readonly calls: number;
  /** Calls before the step, and the tools that they asked for. */
  readonly same: number;
  readonly tools: readonly string[];
  readonly step: TraceStep;
  /** Calls after the step, and the last answer, if the step is not it. */
  readonly more: number;
  readonly answer?: string;
}

/** Characters of a text. */
const longest = 2000;

/** Reads a step where traces part; of traces that do not, the last answer. */
export function traceSide(stored: StoredCalls, { call, message }: Parting): TraceSide {
  const calls = tracedCalls(stored);
  const at = call === 0 ? calls.length - 1 : call - 1;
  const step = stepAt(stored, calls[at], message);
  const last = calls.at(-1);
  const answer = last === undefined ? '' : answerText(stored, last);
  const isLast = step.kind === 'answer' && at === calls.length - 1;
  return {
    calls: calls.length,
    same: Math.min(Math.max(at, 0), calls.length),
    tools: calls.slice(0, Math.max(at, 0)).flatMap(toolsOf),
    step,
    more: Math.max(0, calls.length - at - 1),
    ...(answer !== '' && !isLast && { answer: cut(answer) }),
  };
}

function stepAt(
  stored: StoredCalls,
  call: StoredCall | undefined,
  message: number | undefined,
): TraceStep {
  if (call === undefined) return { kind: 'none' };
  if (message !== undefined) {
    const place = spokenPlaces(stored, call)[message];
    const said = place === undefined ? undefined : stored.texts[place];
    if (said === undefined) return { kind: 'none' };
    const role = isObject(said) && typeof said.role === 'string' ? said.role : '';
    return {
      kind: isToolAnswer(said) ? 'tool' : 'message',
      role,
      text: cut(textOf(said) || askedText(said)),
    };
  }
  const { tool_calls: tools = [] } = call.model_call ?? {};
  if (tools.length > 0) {
    return {
      kind: 'calls',
      tools: tools.map(({ name, arguments: given }) => ({ name, arguments: given })),
    };
  }
  return { kind: 'answer', role: 'assistant', text: cut(answerText(stored, call)) };
}

/** The tools that a message asks for, as JSON; empty for none. */
function askedText(message: Json): string {
  return isObject(message) && message.tool_calls !== undefined
    ? JSON.stringify(message.tool_calls)
    : '';
}

function answerText({ texts }: StoredCalls, { model_call }: StoredCall): string {
  return (model_call?.answer ?? []).map((place) => textOf(texts[place] ?? null)).join('\n');
}

function toolsOf({ model_call }: StoredCall): string[] {
  return (model_call?.tool_calls ?? []).map(({ name }) => name);
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
