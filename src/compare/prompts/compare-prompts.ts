import type { Json } from '../../model/json.js';
import {
  type PartTexts,
  type RequestFacts,
  type RequestPart,
  requestParts,
  type TraceCall,
} from './request-facts.js';

/** Where the traces of two attempts part first; instructions, tools and parameters are set aside. */
export const partings = [
  'first_message',
  'first_call',
  'later_call',
  'tool_answer',
  'last_answer',
  'nowhere',
] as const;
type PartingKind = (typeof partings)[number];

/** The first step in which two traces differ. */
export interface Parting {
  readonly kind: PartingKind;
  /** The call, from 1; 0 for nowhere. */
  readonly call: number;
  /** Of the messages of its request that are no instructions, the first that differs; absent if its answer differs. */
  readonly message?: number;
}

/** Finds where two traces part. */
export function partingOf(a: readonly TraceCall[], b: readonly TraceCall[]): Parting {
  const most = Math.max(a.length, b.length);
  for (let at = 0; at < most; at += 1) {
    const [one, two] = [a[at], b[at]];
    const call = at + 1;
    if (one === undefined || two === undefined) {
      return { kind: at === 0 ? 'first_call' : 'later_call', call };
    }
    const message = firstDifference(one, two);
    if (message !== undefined) {
      const isTool = [one, two].some((of) => of.kinds[message - of.kept] === 't');
      const kind = isTool ? 'tool_answer' : at === 0 ? 'first_message' : 'later_call';
      return { kind, call, message };
    }
    if (one.answer === two.answer) continue;
    const isLast = !one.asks && !two.asks;
    return { kind: isLast ? 'last_answer' : at === 0 ? 'first_call' : 'later_call', call };
  }
  return { kind: 'nowhere', call: 0 };
}

/** The first message of two requests that differs, given that those of the calls before are the same. */
function firstDifference(a: TraceCall, b: TraceCall): number | undefined {
  if (a.kept !== b.kept) return Math.min(a.kept, b.kept);
  const length = Math.max(a.fresh.length, b.fresh.length);
  for (let at = 0; at < length; at += 1) if (a.fresh[at] !== b.fresh[at]) return a.kept + at;
  return undefined;
}

/** A part of requests as both runs have it, with the pairs that have exactly this. */
export interface PartPair {
  readonly role: string;
  readonly part: RequestPart;
  readonly pairs: number;
  /** Names of the evaluations. */
  readonly evaluations: readonly string[];
  readonly isSame: boolean;
  /** `undefined` where a run has none. */
  readonly a: Json | undefined;
  readonly b: Json | undefined;
}

/** A part that differs from case to case, so that it is not said once for the run. */
export interface VaryingPart {
  readonly role: string;
  readonly part: RequestPart;
  readonly pairs: number;
  /** Distinct ones in each run. */
  readonly a: number;
  readonly b: number;
}

/** A case of both runs. */
export interface PromptPair {
  readonly evaluation: string;
  readonly a: RequestFacts;
  readonly b: RequestFacts;
}

/** Distinct pairs of a part; with more it varies by case. */
const mostDistinct = 6;

/** Texts that are kept of a part, and characters of each. */
const mostKept = 200;
const longestKept = 200_000;

/** Keeps the first distinct parts of requests; of more, only their number matters. */
export class KeptParts implements PartTexts {
  readonly #texts = new Map<string, Json>();

  keep(hash: string, part: Json): void {
    if (this.#texts.size >= mostKept || this.#texts.has(hash)) return;
    this.#texts.set(hash, typeof part === 'string' ? part.slice(0, longestKept) : part);
  }

  get(hash: string | undefined): Json | undefined {
    return hash === undefined ? undefined : this.#texts.get(hash);
  }
}

/** Says what of the requests of two runs differs once for the run, and what varies by case. */
export function compareParts(
  pairs: readonly PromptPair[],
  texts: { readonly a: KeptParts; readonly b: KeptParts },
): { readonly parts: readonly PartPair[]; readonly varying: readonly VaryingPart[] } {
  const found = new Map<string, Found>();
  for (const { evaluation, a, b } of pairs) {
    for (const role of new Set([...a.roles.keys(), ...b.roles.keys()])) {
      for (const part of requestParts) {
        addPart(
          found,
          { role, part, evaluation },
          a.roles.get(role)?.[part] ?? [],
          b.roles.get(role)?.[part] ?? [],
        );
      }
    }
  }
  const byPart = groupFound(found);
  const parts: PartPair[] = [];
  const varying: VaryingPart[] = [];
  for (const list of byPart.values()) {
    const [first] = list;
    if (first === undefined) continue;
    const { role, part } = first;
    const isSame = list.every(({ a, b }) => a === b);
    if (list.length > mostDistinct && !(isSame && part !== 'system')) {
      const distinct = (side: 'a' | 'b') => new Set(list.flatMap((one) => one[side] ?? [])).size;
      varying.push({
        ...{ role, part, a: distinct('a'), b: distinct('b') },
        pairs: list.reduce((sum, one) => sum + one.pairs, 0),
      });
      continue;
    }
    parts.push(
      ...list.map(({ a, b, evaluations, pairs: count }) => ({
        ...{ role, part, pairs: count, isSame: a === b },
        evaluations: [...evaluations],
        a: texts.a.get(a),
        b: texts.b.get(b),
      })),
    );
  }
  const order = (one: { readonly isSame: boolean; readonly pairs: number }) =>
    (one.isSame ? 1e9 : 0) - one.pairs;
  return { parts: parts.sort((x, y) => order(x) - order(y)), varying };
}

interface Found {
  readonly role: string;
  readonly part: RequestPart;
  readonly a: string | undefined;
  readonly b: string | undefined;
  pairs: number;
  readonly evaluations: Set<string>;
}

/** Of several in an attempt, the first of one run belongs to the first of the other, and so on. */
function addPart(
  found: Map<string, Found>,
  {
    role,
    part,
    evaluation,
  }: { readonly role: string; readonly part: RequestPart; readonly evaluation: string },
  a: readonly string[],
  b: readonly string[],
): void {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const key = JSON.stringify([role, part, a[at], b[at]]);
    const known = found.get(key) ?? {
      role,
      part,
      a: a[at],
      b: b[at],
      pairs: 0,
      evaluations: new Set(),
    };
    found.set(key, known);
    known.pairs += 1;
    known.evaluations.add(evaluation);
  }
}

function groupFound(found: ReadonlyMap<string, Found>): Map<string, Found[]> {
  const groups = new Map<string, Found[]>();
  for (const one of found.values()) {
    const key = `${one.part} ${one.role}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

/** The number of pairs by where their traces part first. */
export function countPartings(found: Iterable<Parting>): Record<PartingKind, number> {
  const counts: Record<PartingKind, number> = {
    ...{ first_message: 0, first_call: 0, later_call: 0, tool_answer: 0, last_answer: 0 },
    nowhere: 0,
  };
  for (const { kind } of found) counts[kind] += 1;
  return counts;
}
