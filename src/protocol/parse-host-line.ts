import { isFileReads, isFoundCode } from '../model/code/file-code.js';
import { isLookedAt } from '../model/code/looked-at.js';
import { isObject } from '../model/json.js';
import { isKeptValues } from '../model/kept-values.js';
import { isCallLimits } from '../model/option-ranges.js';
import { isScoreRules } from '../model/scores/score-rule.js';
import { isAmount, isText } from '../model/shapes.js';
import { errorOutcome } from './error-outcome.js';
import type { DescribedValues, DescriptorGroup, HostMessage, LoadedModules } from './messages.js';
import { isCalls, type Outcome, outcomeFault } from './outcome.js';

/**
 * Parses a line from a host: a list of messages. Hosts run untrusted code, which may write anything into the channel:
 * invalid messages are ignored, and a malformed result becomes an outcome with an error.
 */
export function parseHostLine(line: string): HostMessage[] {
  let messages: unknown;
  try {
    messages = JSON.parse(line);
  } catch {
    return [];
  }
  if (!Array.isArray(messages)) return [];
  const parsed: HostMessage[] = [];
  for (const message of messages) {
    const one = isObject(message) ? parseRecord(message) : undefined;
    if (one !== undefined) parsed.push(one);
  }
  return parsed;
}

function parseRecord(message: Fields): HostMessage | undefined {
  const { type } = message;
  switch (type) {
    case 'finished':
      return parseFinished(message);
    case 'started':
    case 'postponed':
    case 'recalled':
      return isNumberList(message.tasks) ? { type, tasks: message.tasks } : undefined;
    case 'held':
    case 'released':
      return typeof message.task === 'number' ? { type, task: message.task } : undefined;
    case 'called':
      return typeof message.task === 'number' && isCalls(message.calls)
        ? { type, task: message.task, calls: message.calls }
        : undefined;
    case 'called-at-import':
      return isText(message.file) && isCalls(message.calls)
        ? { type, file: message.file, calls: message.calls }
        : undefined;
    case 'taken-from-import': {
      const { task, file, numbers } = message;
      const isWhole = typeof task === 'number' && isText(file) && isNumberList(numbers);
      return isWhole ? { type, task, file, numbers } : undefined;
    }
    case 'ask':
      return parseAsk(message);
    case 'withdraw':
    case 'answering':
      return parseAsked(type, message);
    case 'warning':
      return typeof message.text === 'string' ? { type, text: message.text } : undefined;
    case 'log':
      return parseLog(message);
    case 'importing':
      return typeof message.file === 'string' ? { type, file: message.file } : undefined;
    case 'imported':
      return typeof message.file === 'string' && isDescriptorGroup(message.group)
        ? { type, file: message.file, group: message.group }
        : undefined;
    case 'import-failed':
      return parseImportFailed(message);
    case 'empty':
      return isText(message.file) && isText(message.reason)
        ? { type, file: message.file, reason: message.reason }
        : undefined;
    case 'loaded':
      return {
        type,
        ...(isText(message.code) && { code: message.code }),
        ...(isLoadedModules(message.modules) && { modules: message.modules }),
      };
    case 'fingerprinted':
      return { type, ...(isText(message.problem) && { problem: message.problem }) };
    case 'ending':
      return { type };
    case 'code': {
      if (!isFoundCode(message)) return undefined;
      const { rule, pieces, lists, wholes, files } = message;
      return { type, rule, pieces, lists, wholes, files };
    }
    case 'reads':
      return isFileReads(message) ? { type, file: message.file, reads: message.reads } : undefined;
    case 'touched':
      return isListOf(message.looks, isLookedAt) && isListOf(message.writes, isText)
        ? { type, looks: message.looks, writes: message.writes }
        : undefined;
    case 'described':
      return isListOf(message.values, isDescribed) ? { type, values: message.values } : undefined;
    default:
      return undefined;
  }
}

function parseAsk({
  task,
  call,
  isOfModel,
  model,
  host,
  size,
  isReplayed,
}: Fields): HostMessage | undefined {
  if (typeof task !== 'number' || typeof call !== 'number' || !isText(host)) return undefined;
  return {
    type: 'ask',
    task,
    call,
    isOfModel: isOfModel === true,
    ...(isText(model) && { model }),
    host,
    size: isAmount(size) ? size : 0,
    ...(isReplayed === true && { isReplayed }),
  };
}

function parseAsked(
  type: 'withdraw' | 'answering',
  { task, call, retryAfter }: Fields,
): HostMessage | undefined {
  if (typeof task !== 'number' || typeof call !== 'number') return undefined;
  return type === 'withdraw'
    ? { type, task, call }
    : { type, task, call, ...(isAmount(retryAfter) && { retryAfter }) };
}

function parseFinished(message: Fields): HostMessage | undefined {
  const { task, outcome, lingering } = message;
  if (typeof task !== 'number') return undefined;
  const fault = outcomeFault(outcome);
  return {
    type: 'finished',
    task,
    // It has been checked.
    outcome:
      fault === undefined
        ? (outcome as Outcome)
        : errorOutcome(`The process that ran this evaluation sent a malformed result: ${fault}.`),
    lingering: lingering === true,
  };
}

/** What an attempt printed; `undefined` if it is no such message. */
export function parseLog(message: Fields): Extract<HostMessage, { type: 'log' }> | undefined {
  const { task, stream, text } = message;
  if (typeof task !== 'number' || typeof text !== 'string') return undefined;
  return stream === 'stdout' || stream === 'stderr'
    ? { type: 'log', task, stream, text }
    : undefined;
}

function parseImportFailed(message: Fields): HostMessage | undefined {
  const { file, line, column, stack } = message;
  if (typeof file !== 'string' || typeof message.message !== 'string') return undefined;
  return {
    type: 'import-failed',
    file,
    message: message.message,
    ...(typeof line === 'number' ? { line } : {}),
    ...(typeof column === 'number' ? { column } : {}),
    ...(typeof stack === 'string' ? { stack } : {}),
  };
}

function isDescriptorGroup(value: unknown): value is DescriptorGroup {
  return (
    isObject(value) &&
    isText(value.evaluation) &&
    isText(value.name) &&
    isListOf(value.cases, isText) &&
    isText(value.dataset) &&
    isListOf(value.labels, isText) &&
    isOptional('string', value.cluster) &&
    isOptional('number', value.trials) &&
    isOptional('number', value.timeout) &&
    isOptional('number', value.line) &&
    (value.requires === undefined || isListOf(value.requires, isText)) &&
    (value.limits === undefined || isCallLimits(value.limits)) &&
    (value.scoreRules === undefined || isScoreRules(value.scoreRules)) &&
    typeof value.hasTarget === 'boolean' &&
    typeof value.skip === 'boolean' &&
    typeof value.only === 'boolean'
  );
}

function isDescribed(value: unknown): value is DescribedValues {
  return (
    isObject(value) &&
    isText(value.id) &&
    isObject(value.metadata) &&
    isOptional('string', value.exact) &&
    (value.kept === undefined || isKeptValues(value.kept)) &&
    isOptional('string', value.scoreKey)
  );
}

type Fields = { readonly [key: string]: unknown };

function isNumberList(value: unknown): value is number[] {
  return isListOf(value, (item): item is number => typeof item === 'number');
}

function isLoadedModules(value: unknown): value is LoadedModules {
  return (
    isObject(value) &&
    isListOf(value.files, isText) &&
    isText(value.settings) &&
    isListOf(value.packages, isText)
  );
}

function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

function isOptional(type: 'string' | 'number' | 'boolean', value: unknown): boolean {
  return value === undefined || typeof value === type;
}
