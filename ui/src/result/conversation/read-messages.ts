import { type Fields, fieldsOf, textOf } from './fields.js';
import type { CallPart, Message, Part } from './message.js';
import { readParts, type Said } from './read-parts.js';
import { isItemType } from './read-tools.js';

/** Parses messages in the formats of model APIs; `undefined` for other values. */
export function readMessages(value: unknown): readonly Message[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const fields = value.map(fieldsOf);
  if (!fields.every((one): one is Fields => one !== undefined && isMessage(one))) return undefined;
  return arrange(fields);
}

/** Parses traced messages; other values become messages with the value. */
export function readTraced(value: unknown): readonly Message[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return arrange(value.map((one) => fieldsOf(one) ?? { role: 'value', content: one }));
}

function isMessage(fields: Fields): boolean {
  if (fields.role === undefined && isItemType(fields.type)) return true;
  return (
    typeof fields.role === 'string' &&
    ['content', 'parts', 'tool_calls'].some((key) => fields[key] !== undefined)
  );
}

/** Puts each thought and call on its own line, and each answer with its call. */
function arrange(all: readonly Fields[]): readonly Message[] {
  const start = all.map(timeOf).find((time) => time !== undefined);
  const lines: { who: string; parts: Part[]; at: number | undefined }[] = [];
  // Calls of providers without ids have the name of the tool, and are answered in order.
  const open = new Map<string, { at: number; part: CallPart }[]>();
  for (const fields of all) {
    const time = timeOf(fields);
    const at = time === undefined ? undefined : time - (isClock(start) ? (start ?? 0) : 0);
    for (const said of split(readParts(fields))) {
      if (said.kind === 'parts') {
        const who = said.isThought ? 'thinking' : (textOf(fields.role) ?? 'message');
        lines.push({ who, parts: [...said.parts], at });
        continue;
      }
      if (said.kind === 'call') {
        const { id } = said.call;
        if (id !== undefined) {
          open.set(id, [...(open.get(id) ?? []), { at: lines.length, part: said.call }]);
        }
        lines.push({ who: 'call', parts: [said.call], at });
        continue;
      }
      const call = said.id === undefined ? undefined : open.get(said.id)?.shift();
      const line = call && lines[call.at];
      if (call && line) {
        line.parts = [
          { ...call.part, answer: said.answer, ...(said.isError && { isFailed: true }) },
        ];
        line.at = at ?? line.at;
      } else {
        const name = textOf(fields.name) ?? textOf(fields.tool_name);
        const answer: Part = { kind: 'value', value: said.answer };
        lines.push({ who: name ?? textOf(fields.role) ?? 'tool', parts: [answer], at });
      }
    }
  }
  return lines;
}

type Line =
  | { readonly kind: 'parts'; readonly parts: readonly Part[]; readonly isThought: boolean }
  | { readonly kind: 'call'; readonly call: CallPart }
  | Extract<Said, { kind: 'answer' }>;

function split(said: readonly Said[]): readonly Line[] {
  const lines: Line[] = [];
  let parts: Part[] = [];
  const flush = () => {
    const isThought = parts[0]?.kind === 'thinking';
    if (parts.length > 0) lines.push({ kind: 'parts', parts, isThought });
    parts = [];
  };
  for (const one of said) {
    if (one.kind !== 'call' && one.kind !== 'answer') {
      if (parts[0] !== undefined && (one.kind === 'thinking') !== (parts[0].kind === 'thinking')) {
        flush();
      }
      parts.push(one);
    } else {
      flush();
      lines.push(one.kind === 'call' ? { kind: 'call', call: one } : one);
    }
  }
  flush();
  return lines.length === 0 ? [{ kind: 'parts', parts: [], isThought: false }] : lines;
}

/** The time in seconds, from a number or a date. */
function timeOf(fields: Fields): number | undefined {
  for (const key of ['at', 'time', 'timestamp', 'created_at']) {
    const value = fields[key];
    if (typeof value === 'number' && Number.isFinite(value)) {
      return value > 1e11 ? value / 1000 : value;
    }
    if (typeof value === 'string') {
      const moment = Date.parse(value);
      if (!Number.isNaN(moment)) return moment / 1000;
    }
  }
  return undefined;
}

/** True for Unix time, false for time since a start. */
function isClock(time: number | undefined): boolean {
  return time !== undefined && time > 1e8;
}
