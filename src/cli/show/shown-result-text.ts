import type { ChalkInstance } from 'chalk';
import { AssayError } from '../../errors.js';
import type { Call, McpRequest, Span } from '../../model/calls/model-call.js';
import { nestedTrace } from '../../model/calls/nested-trace.js';
import { hasCalls, isSpent, runUsageOf } from '../../model/calls/run-usage.js';
import { costsNothing, hasAllTokens } from '../../model/calls/usage.js';
import {
  caseIdOf,
  isFinished,
  type Json,
  type JsonObject,
  passes,
  type Result,
  type ResultEntry,
  type RowFacts,
} from '../../model/result.js';
import type { Score } from '../../model/scores/score.js';
import { valueText } from '../../model/scores/score-rule.js';
import { isCalled } from '../../model/selection/named.js';
import { pathInIds } from '../../runner/planning/saved-run-rows.js';
import { renderLatency } from '../../text/duration-text.js';
import { quotedName } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';
import { renderNumber } from '../../text/number-text.js';
import {
  callsText,
  partTexts,
  renderCost,
  renderResultCost,
  renderTokens,
  resultBesideTaken,
  unknownTokensTexts,
} from '../../text/usage-text.js';
import type { ReportedRun } from '../report/report-options.js';
import { latencyText, nameCell, shownStandingOf } from '../report/report-rows.js';
import { escapeLines, escapeTerminal, wrapLine, wrapParts } from '../terminal/terminal-text.js';
import { type ConversationOptions, conversationLines } from './conversation-lines.js';

interface Page extends ConversationOptions {
  readonly colours: ChalkInstance;
}

/** All that is known of a result: its verdict, scores, values, logs and error, wrapped to the page. */
export function renderResult(entry: ResultEntry, earlierAttempts: number, page: Page): string {
  const { result } = entry;
  const { colours, columns } = page;
  const standing = shownStandingOf({ ...result, pruned: entry.pruned });
  const title = nameCell(standing, entry.id, colours);
  const facts = [
    standing,
    latencyText(result),
    result.waited === undefined ? '' : `waited ${renderLatency(result.waited)}`,
    ...usageFacts(result),
    `dataset ${escapeTerminal(entry.dataset)}`,
    ...entry.labels.map((label) => `#${escapeTerminal(label)}`),
    ...(earlierAttempts === 0 ? [] : [`attempt ${earlierAttempts + 1}`]),
    ...provenance(result),
    ...(entry.inexact === true
      ? [`cannot be graded again (${escapeTerminal(entry.inexact_because ?? 'unknown why')})`]
      : []),
  ].filter((fact) => fact !== '');
  const { logs, ...given } = result.trace_data;
  const { messages, ...others } = given;
  const conversation = conversationLines(messages, page);
  const trace = conversation === undefined ? given : others;
  const sections = [
    section(
      'scores',
      result.scores.flatMap((score) => scoreLines(score, page)),
      page,
    ),
    valueSection('input', result.input, page),
    valueSection('output', result.output, page),
    valueSection('reference', result.reference, page),
    objectSection('metadata', result.metadata, page),
    section('conversation', conversation ?? [], page),
    objectSection('trace data', trace, page),
    section(
      'calls',
      callLines(result).flatMap((line) => wrapped(line, page)),
      page,
    ),
    section(
      'logs',
      logLines(logs).flatMap((line) => wrapped(line, page)),
      page,
    ),
    section('annotation', textLines(result.annotation, page), page),
    section('error', textLines(result.error ?? '', page), page),
  ].filter((lines) => lines.length > 0);
  // The id is not broken: it is there to be copied.
  const head = [(title.paint ?? String)(title.text), ...wrapParts(facts, columns, '  ')];
  return [head, ...sections].map((lines) => lines.join('\n')).join('\n\n');
}

/** Where it comes from, and why. */
function provenance({ origin, reason }: ResultEntry['result']): string[] {
  const how = origin?.kind === 'carried' ? 'carried from' : 'regraded, output from';
  return [
    ...(origin === undefined ? [] : [`${how} ${escapeTerminal(origin.run_name)}`]),
    ...(reason === undefined ? [] : [`reason: ${escapeTerminal(reason)}`]),
  ];
}

/** Calls and cost; in brackets those that this run did not make. */
function usageFacts(result: ResultEntry['result']): string[] {
  const usage = runUsageOf(result);
  if (!hasCalls(usage)) return [];
  return [
    resultBesideTaken(usage, callsText),
    resultBesideTaken(usage, renderResultCost),
    ...partTexts(usage),
    ...unknownTokensTexts(usage),
  ];
}

function section(title: string, lines: readonly string[], { colours }: Page): string[] {
  return lines.length === 0 ? [] : [`  ${colours.bold(title)}`, ...lines];
}

function valueSection(title: string, value: Json, page: Page): string[] {
  return value === null ? [] : section(title, valueLines(value, page), page);
}

function objectSection(title: string, value: JsonObject, page: Page): string[] {
  return Object.keys(value).length === 0 ? [] : section(title, valueLines(value, page), page);
}

function scoreLines(score: Score, page: Page): string[] {
  const mark = score.passed === undefined ? '–' : score.passed ? '✓' : '✗';
  const value = score.value === undefined ? '' : ` ${valueText(score.value, score, renderNumber)}`;
  const source = score.source === 'human' ? ', set by a person' : '';
  const form = score.inexact === true ? ', of the stored form' : '';
  const { rubric_version: version } = score;
  const judge = version === undefined ? '' : `, judge ${escapeTerminal(version.slice(0, 6))}`;
  const line = `${mark} ${escapeTerminal(score.key)}${value}${judge}${source}${form}`;
  const place = score.location === undefined ? '' : `at ${score.location}`;
  return [
    ...wrapped(line, page),
    ...[score.notes ?? '', place].flatMap((text) => textLines(text, page, '      ')),
  ];
}

/** Text and conversations as they are; anything else as JSON, on one line where there is room. */
function valueLines(value: Json, page: Page): string[] {
  const conversation = conversationLines(value, page);
  if (conversation !== undefined) return conversation;
  if (typeof value === 'string' && value !== '') return textLines(value, page);
  const short = JSON.stringify(value);
  const isShort = short.length <= Math.min(page.columns, 100) - 4;
  return textLines(isShort ? short : JSON.stringify(value, null, 2), page);
}

function textLines(text: string, page: Page, indent?: string): string[] {
  if (text.trim() === '') return [];
  return escapeLines(text.replace(/\n+$/, '')).flatMap((line) => wrapped(line, page, indent));
}

function wrapped(line: string, { columns }: Page, indent = '    '): string[] {
  const [, own = '', rest = ''] = /^(\s*)(.*)$/s.exec(line) ?? [];
  const begin = indent + own;
  return wrapLine(rest, columns - begin.length).map((part) => (begin + part).trimEnd());
}

/** The printed output, each line with its stream. */
function logLines(logs: Json | undefined): string[] {
  if (!Array.isArray(logs)) return [];
  return logs.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [];
    const { stream, text } = entry as JsonObject;
    if (typeof text !== 'string') return [];
    const lines = escapeLines(text.replace(/\r?\n$/, ''));
    return lines.map((line) => `${stream === 'stderr' ? 'stderr' : 'stdout'} │ ${line}`);
  });
}

/**
 * Each call and span on a line, by their start and below the span around it: role, request, outcome, time and cost; in
 * brackets where the run has not spent it.
 */
function callLines({
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

// Further candidates are only counted.
const mostNamed = 10;

/**
 * Finds a result by what it is called, with or without its file; of the trials of a case, the first that did not pass. Error:
 * `no-such-result`, with similar names or the candidates.
 */
export function findResult(run: ReportedRun, wanted: string, cwd: string): number {
  const { rows } = run;
  const id = wanted.includes('::') ? pathInIds(wanted, cwd) : wanted;
  const exact = rows.findIndex((row) => row.id === id);
  if (exact !== -1) return exact;
  const isNamed = isCalled(id);
  const alike = rows.flatMap((row, index) => (isNamed(row) ? [index] : []));
  const rowAt = (index: number) => rows[index] as RowFacts;
  const [first] = alike;
  if (first !== undefined && new Set(alike.map((one) => caseIdOf(rowAt(one)))).size === 1) {
    return alike.find((one) => isFinished(rowAt(one)) && !passes(rowAt(one))) ?? first;
  }
  const { run_name } = run.head();
  if (alike.length > 0) {
    const ids = alike.slice(0, mostNamed).map((index) => rows[index]?.id ?? '');
    const more = alike.length - ids.length;
    throw new AssayError(
      'no-such-result',
      `${alike.length} results of ${run_name} are called ${quotedName(wanted)}: name one by its id.`,
      { hints: [...ids, ...(more > 0 ? [`… ${more} more`] : [])] },
    );
  }
  const names = new Set(rows.flatMap((row) => [row.id, row.function]));
  const hint = didYouMean(id, names);
  throw new AssayError('no-such-result', `${run_name} has no result ${quotedName(wanted)}.`, {
    hints: hint === undefined ? [] : [hint],
  });
}
