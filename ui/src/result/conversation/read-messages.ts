import {
  type CallPart,
  type Fields,
  fieldsOf,
  isItemType,
  type MessagePart,
  readParts,
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

/** Puts each thought and call on its own line, and each answer with its call. */
function arrange(all: readonly Fields[]): readonly Message[] {
  const start = all.map(timeOf).find((time) => time !== undefined);
  const lines: { who: string; parts: MessagePart[]; at: number | undefined }[] = [];
  // Calls of providers without ids have the name of the tool, and are answered in order.
  const open = new Map<string, { line: (typeof lines)[number]; call: CallPart }[]>();
  for (const fields of all) {
    const time = timeOf(fields);
    const at = time === undefined ? undefined : time - (isClock(start) ? (start ?? 0) : 0);
    const role = textOf(fields.role);
    const parts = readParts(fields);
    if (parts.length === 0) lines.push({ who: role ?? 'message', parts: [], at });
    /** The kind of the line of this message to which a part may be added. */
    let who: string | undefined;
    for (const said of parts) {
      if (said.kind === 'call') {
        const line = { who: 'call', parts: [said], at };
        lines.push(line);
        if (said.id !== undefined) {
          open.set(said.id, [...(open.get(said.id) ?? []), { line, call: said }]);
        }
        who = undefined;
      } else if (said.kind === 'answer') {
        const asked = said.id === undefined ? undefined : open.get(said.id)?.shift();
        if (asked) {
          const { line, call } = asked;
          line.parts = [{ ...call, answer: said.answer, ...(said.isError && { isFailed: true }) }];
          line.at = at ?? line.at;
        } else {
          const name = textOf(fields.name) ?? textOf(fields.tool_name) ?? role ?? 'tool';
          lines.push({ who: name, parts: [{ kind: 'value', value: said.answer }], at });
        }
        who = undefined;
      } else {
        const its = said.kind === 'thinking' ? 'thinking' : (role ?? 'message');
        if (who === its) lines.at(-1)?.parts.push(said);
        else lines.push({ who: its, parts: [said], at });
        who = its;
      }
    }
  }
  return lines;
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
