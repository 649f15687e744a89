import {
  type CallPart,
  type Fields,
  fieldsOf,
  isItemType,
  type MessagePart,
  readParts,
  type Said,
  textOf,
} from '../../../../src/model/calls/message-parts.js';

/** A text, a value, a thought or a tool call in a message. */
export interface Message {
  /** `user`, `assistant`, `system`, `thinking`, `call`, … */
  readonly who: string;
  readonly parts: readonly MessagePart[];
  /** Seconds, as given or since the first message. */
  readonly at: number | undefined;
}

/** True for what the user of the app says. */
export function isFromUser({ who }: Pick<Message, 'who'>): boolean {
  return who === 'user' || who === 'human';
}

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

/** A message while it is made. */
interface Line {
  readonly who: string;
  parts: MessagePart[];
  at: number | undefined;
}

/** Puts each thought and call on its own line, and each answer with its call. */
function arrange(all: readonly Fields[]): readonly Message[] {
  const start = all.map(timeOf).find((time) => time !== undefined);
  const lines: Line[] = [];
  // Calls of providers without ids have the name of the tool, and are answered in order.
  const open = new Map<string, { readonly line: Line; readonly call: CallPart }[]>();
  for (const fields of all) {
    const time = timeOf(fields);
    const at = time === undefined ? undefined : time - (isClock(start) ? (start ?? 0) : 0);
    const role = textOf(fields.role) ?? 'message';
    const parts = readParts(fields);
    if (parts.length === 0) lines.push({ who: role, parts: [], at });
    /** The line of this message to which a part may be added. */
    let last: Line | undefined;
    for (const said of parts) {
      const call =
        said.kind === 'answer' && said.id !== undefined ? open.get(said.id)?.shift() : undefined;
      if (call && said.kind === 'answer') {
        const { answer, isError } = said;
        call.line.parts = [{ ...call.call, answer, ...(isError && { isFailed: true }) }];
        call.line.at = at ?? call.line.at;
        last = undefined;
        continue;
      }
      const part = said.kind === 'answer' ? ({ kind: 'value', value: said.answer } as const) : said;
      const who = whoSays(said, fields, role);
      const isAlone = said.kind === 'call' || said.kind === 'answer';
      if (last?.who === who && !isAlone) last.parts.push(part);
      else {
        const line = { who, parts: [part], at };
        lines.push(line);
        last = isAlone ? undefined : line;
        if (said.kind === 'call' && said.id !== undefined) {
          open.set(said.id, [...(open.get(said.id) ?? []), { line, call: said }]);
        }
      }
    }
  }
  return lines;
}

function whoSays(said: Said, fields: Fields, role: string): string {
  if (said.kind === 'call') return 'call';
  if (said.kind === 'thinking') return 'thinking';
  if (said.kind !== 'answer') return role;
  return textOf(fields.name) ?? textOf(fields.tool_name) ?? textOf(fields.role) ?? 'tool';
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
