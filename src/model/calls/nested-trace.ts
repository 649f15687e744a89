import { isObject } from '../json.js';
import type { CallRole, Span } from './model-call.js';

/** The fields of a call that nesting needs. */
interface Placed {
  readonly role: CallRole;
  readonly start: number;
  readonly parent?: string;
}

/** A call or span, and in how many spans it is. */
export interface Nested<Call extends Placed> {
  readonly done: Call | Span;
  readonly depth: number;
}

/**
 * Calls and spans in order of their start, each after the span around it. A span that contains everything of its role,
 * such as the only `generateText` of a target, is left out.
 */
export function nestedTrace<Call extends Placed>(
  calls: readonly Call[],
  spans: readonly Span[],
): Nested<Call>[] {
  const known = new Map<string, Span>();
  for (const span of spans) if (!known.has(span.id)) known.set(span.id, span);
  const inside = new Map<Span | undefined, (Call | Span)[]>();
  for (const done of [...calls, ...spans].sort((a, b) => a.start - b.start)) {
    const around = done.parent === undefined ? undefined : known.get(done.parent);
    const siblings = inside.get(around);
    if (siblings === undefined) inside.set(around, [done]);
    else siblings.push(done);
  }
  const top = inside.get(undefined) ?? [];
  const shown: Nested<Call>[] = [];
  const seen = new Set<Call | Span>();
  const show = (done: Call | Span, depth: number): void => {
    if (seen.has(done)) return;
    seen.add(done);
    shown.push({ done, depth });
    if ('kind' in done) for (const one of inside.get(done) ?? []) show(one, depth + 1);
  };
  for (const done of top) {
    const within = 'kind' in done ? inside.get(done) : undefined;
    if (within !== undefined && isOnlyFrame(done, top)) {
      seen.add(done);
      for (const one of within) show(one, 0);
    } else show(done, 0);
  }
  // Those that are in each other have no beginning.
  for (const span of spans) show(span, 0);
  return shown;
}

/** True for a span without data of its own that contains everything of its role. */
function isOnlyFrame(done: Placed | Span, beside: readonly (Placed | Span)[]): boolean {
  if (!('kind' in done) || done.kind === 'tool') return false;
  if (done.attributes !== undefined || done.error !== undefined) return false;
  return beside.every((one) => one === done || one.role !== done.role);
}

/** The outcome of a tool or span, if it has one: its error, or `ok: false` in a result. */
export function spanOutcome({ error, end, result }: Span): string {
  if (error !== undefined) return error;
  if (end === undefined) return 'not ended';
  if (!isObject(result)) return '';
  const { ok, error: message } = result;
  if (typeof message === 'string' && message !== '') return message;
  return ok === false ? 'ok: false' : '';
}
