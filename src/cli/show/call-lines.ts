import type { Call, McpRequest, Span } from '../../model/calls/model-call.js';
import { nestedTrace } from '../../model/calls/nested-trace.js';
import { isSpent } from '../../model/calls/run-usage.js';
import { costsNothing, hasAllTokens } from '../../model/calls/usage.js';
import type { Result } from '../../model/result.js';
import { renderLatency } from '../../text/duration-text.js';
import { renderCost, renderTokens } from '../../text/usage-text.js';
import { escapeTerminal } from '../terminal/terminal-text.js';

/**
 * Each call and span on a line, by their start and below the span around it: role, request, outcome, time and cost; in
 * brackets where the run has not spent it.
 */
export function callLines({
  calls = [],
  spans = [],
  origin,
}: Pick<Result, 'calls' | 'spans' | 'origin'>): string[] {
  const nested = nestedTrace(calls, spans);
  const width = Math.max(0, ...nested.map(({ done }) => done.role.length));
  return nested.map(({ done, depth }) =>
    escapeTerminal(`${done.role.padEnd(width)}  ${'  '.repeat(depth)}${textOf(done, origin)}`),
  );
}

function textOf(done: Call | Span, origin: Result['origin']): string {
  if ('kind' in done) return spanText(done);
  if (done.program !== undefined) return programText(done, done.program);
  return done.model_call === undefined ? httpText(done) : modelText(done, origin);
}

function spanText({ kind, name, error, start, end }: Span): string {
  return [
    `${kind} ${name}`,
    ...(error === undefined ? [] : [error]),
    end === undefined ? 'not ended' : renderLatency(end - start),
  ].join(' · ');
}

function programText(call: Call, program: string): string {
  const parts = [`program ${program}`, ...outcomeParts(call, undefined)];
  return [...parts, ...(call.cost === null ? ['its calls are not seen'] : [])].join(' · ');
}

function modelText(call: Call, origin: Result['origin']): string {
  const { model_call, cost, status, replayed = false } = call;
  const { model, response_model, operation, usage = {}, tool_calls = [] } = model_call ?? {};
  const { input, cache_read = 0, output } = usage;
  const cached = cache_read > 0 ? ` (${renderTokens(cache_read)} cached)` : '';
  const lacksTokens = model_call !== undefined && !hasAllTokens(model_call) && !costsNothing(call);
  const unpriced = lacksTokens ? 'cost unknown' : 'not priced';
  const price = cost === null ? unpriced : cost ? renderCost({ cost }) : undefined;
  const isTaken = replayed || !isSpent(call.role, origin);
  const booked = price !== undefined && isTaken ? `(${price})` : price;
  return [
    response_model ?? model ?? operation,
    ...(input === undefined ? [] : [`${renderTokens(input)} in${cached}`]),
    ...(output === undefined ? [] : [`${renderTokens(output)} out`]),
    ...(lacksTokens && status !== undefined ? ['reported no tokens'] : []),
    ...tool_calls.map(
      ({ name, not_json }) => `→ ${name}${not_json ? ' (arguments: no JSON)' : ''}`,
    ),
    ...outcomeParts(call, model_call?.error),
    ...(booked === undefined ? [] : [booked]),
  ].join(' · ');
}

function httpText(call: Call): string {
  const { mcp, unknown_model_call: unknown, cost } = call;
  return [
    ...(unknown === undefined
      ? []
      : [['unknown model call', unknown.model].filter(Boolean).join(' ')]),
    ...(mcp === undefined ? [] : [`MCP ${mcpText(mcp)}`]),
    `${call.method} ${call.url}`,
    ...outcomeParts(call, undefined),
    ...(unknown !== undefined && cost === null ? ['cost unknown'] : []),
  ].join(' · ');
}

/** `tools/call search`. */
function mcpText({ method, name }: McpRequest): string {
  return name === undefined ? method : `${method} ${name}`;
}

/** Its duration; for a replayed call, the recorded duration. */
function timeText({ start, end, replayed, shared, recorded_duration: recorded }: Call): string {
  if (replayed) {
    const how = shared ? 'replayed, shared' : 'replayed';
    return recorded === undefined ? how : `${how}, recorded ${renderLatency(recorded)}`;
  }
  return end === undefined ? 'not ended' : renderLatency(end - start);
}

function outcomeParts(call: Call, problem: string | undefined): string[] {
  const { status, retry_of, late, error = problem, note, waited } = call;
  return [
    ...(status === undefined || status < 400 ? [] : [String(status)]),
    ...(error === undefined || error === `HTTP ${status}` ? [] : [error]),
    timeText(call),
    ...(waited === undefined ? [] : [`waited ${renderLatency(waited)}`]),
    ...(retry_of === undefined ? [] : [`repeats call ${retry_of}`]),
    ...(late === true ? ['ended after its attempt'] : []),
    ...(note === undefined ? [] : [note]),
  ];
}
