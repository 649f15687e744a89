import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  mergeTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml';
import { linesOf, positionAt } from '../../text/text-position.js';
import { CaseFileError } from './case-file-error.js';
import type { ParsedRows } from './rows-to-cases.js';

/** YAML 1.2 with `<<` merges. */
const schema = CORE_SCHEMA.withTags(mergeTag);
/** Levels of lists and maps; far more than a result keeps. */
const maxDepth = 1000;
/** Values that aliases may stand for, so that a few lines cannot exhaust the memory. */
const mostAliased = 10_000_000;

/** The rows of a YAML list. */
export function readYaml(text: string, file: string): ParsedRows {
  const fail = (offset: number, reason: string, cause?: unknown): never => {
    throw new CaseFileError(file, positionAt(text, Math.max(0, offset)), reason, cause);
  };
  try {
    const events = parseEvents(text, { maxDepth });
    checkDocument(events, text, fail);
    return {
      rows: constructFromEvents(events, { source: text, schema })[0] as unknown[],
      locate: (index, field) => positionAt(text, findRow(events, text, index, field)),
      lines: () => linesOf(text, rowStarts(events)),
    };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const offset = error.mark?.position ?? 0;
    return fail(offset, faultText(error.reason, text, offset), error);
  }
}

function faultText(reason: string, text: string, offset: number): string {
  if (/maxDepth|nesting/i.test(reason)) return 'it is nested too deeply';
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return `it is not YAML: ${/^[-?: ]*\t/.test(line) ? 'a tab cannot indent' : reason}`;
}

/** Refuses what is no list, several documents, and aliases that refer to themselves or stand for too much. */
function checkDocument(
  events: readonly Event[],
  text: string,
  fail: (offset: number, reason: string) => never,
): void {
  const documents = events.filter(({ type }) => type === EVENT_ID.DOCUMENT);
  const root = events[1];
  if (root?.type !== EVENT_ID.SEQUENCE) {
    fail(root === undefined ? 0 : startOf(root), 'it must contain a list of cases: - input: …');
  }
  if (documents.length > 1) {
    const second = events[events.lastIndexOf(documents[1] as Event) + 1];
    fail(second === undefined ? 0 : startOf(second), 'it must be one YAML document');
  }
  const sizes = new Map<string, number>();
  const open: { readonly anchor: string | undefined; readonly before: number }[] = [];
  let size = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop();
      if (closed?.anchor !== undefined) sizes.set(closed.anchor, size - closed.before);
      continue;
    }
    if (event.type === EVENT_ID.ALIAS) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      if (open.some(({ anchor }) => anchor === name)) {
        fail(event.anchorStart - 1, `the alias *${name} refers to itself`);
      }
      size += sizes.get(name) ?? 0;
      if (size > mostAliased) fail(event.anchorStart - 1, 'its aliases stand for too many values');
      continue;
    }
    const anchor = anchorOf(event, text);
    if (event.type !== EVENT_ID.SCALAR) open.push({ anchor, before: size });
    else if (anchor !== undefined) sizes.set(anchor, 1);
    size += 1;
  }
}

function anchorOf(event: Event, text: string): string | undefined {
  return 'anchorStart' in event && event.anchorStart >= 0
    ? text.slice(event.anchorStart, event.anchorEnd)
    : undefined;
}

function startOf(event: Event): number {
  if ('start' in event) return event.start;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return 0;
  const { style, valueStart } = event;
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  return isQuoted ? valueStart - 1 : valueStart;
}

/** The offsets of all rows. */
function rowStarts(events: readonly Event[]): number[] {
  const starts: number[] = [];
  let depth = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      depth -= 1;
      continue;
    }
    if (depth === 2) starts.push(startOf(event));
    if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) depth += 1;
  }
  return starts;
}

/** The offset of a row, or of one of its fields. */
function findRow(events: readonly Event[], text: string, index: number, field?: string): number {
  let [depth, row, start, keys] = [0, -1, 0, 0];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      depth -= 1;
      continue;
    }
    if (depth === 2) {
      row += 1;
      if (row > index) break;
      start = startOf(event);
      keys = 0;
    } else if (depth === 3 && row === index) {
      const isKey = keys % 2 === 0 && event.type === EVENT_ID.SCALAR;
      if (isKey && getScalarValue(text, event) === field) return startOf(event);
      keys += 1;
    }
    if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) depth += 1;
  }
  return start;
}
