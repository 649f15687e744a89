import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { unwatchedly } from '../authoring/case-files/read-as-cases.js';
import type { TraceData } from '../authoring/context.js';
import { isSameJson } from '../model/json.js';
import type { Json, JsonObject } from '../model/result.js';
import type { Score } from '../model/scores/score.js';
import { maxScoreKeyLength } from '../model/scores/score-limits.js';
import type { ScoreRules } from '../model/scores/score-rule.js';
import type { RecordingLookups } from '../recordings/recording.js';
import { redactCredentials } from '../text/credentials.js';
import { createRedactor, type Redactor, redactFields } from '../text/redact.js';
import {
  type Converted,
  type ConvertedObject,
  type ConvertOptions,
  convert,
  convertObject,
} from '../values/convert.js';
import { isExactJson } from '../values/exact-text.js';
import { isEmptyPlain } from '../values/inspect-value.js';
import { type Keeping, keepValue } from '../values/keep-value.js';
import type { Attempt } from './attempt/attempt.js';

// Taken before looks at files are watched: this one is not the user's.
const isPath = existsSync;

/** Most entries of earlier output that a regrade keeps. */
const maxEarlierLogs = 1000;
/** Most characters of a score's notes. */
const maxNotes = 64 * 1024;
/** Some evaluations make a key of each case. */
const maxKnownKeys = 1000;
const maxKnownTexts = 1000;
const longestKnownText = 200;

/** Converts values of user code for storage: JSON, of bounded size, without secrets. */
export class Sanitizer {
  #redactor: Redactor;
  /** Score keys as they are stored: most evaluations share a few. */
  readonly #keys = new Map<string, string>();
  readonly #printedTexts = new Map<string, string>();
  readonly #redact = (text: string) => this.#redactor.redact(text);
  /** Serialised text has one or two bytes for each character, from any byte on. */
  readonly #holdsSecret = (bytes: Buffer) =>
    this.#redactor.names.length > 0 &&
    [
      bytes.toString('latin1'),
      bytes.toString('utf8'),
      bytes.toString('utf16le'),
      bytes.subarray(1).toString('utf16le'),
    ].some((text) => this.#redact(text) !== text);

  constructor(env: NodeJS.ProcessEnv) {
    // Reading all variables would count as the user's.
    this.#redactor = unwatchedly(() => createRedactor(env, isPath));
  }

  /** Adds variables that user code has set in the environment. */
  learn(env: NodeJS.ProcessEnv): void {
    this.#redactor = unwatchedly(() => createRedactor(env, isPath));
    this.#keys.clear();
    this.#printedTexts.clear();
  }

  /** Text for people: without terminal colours, well formed, without secrets. What ends with `…` has been cut. */
  text(text: string): string {
    const clean = stripVTControlCharacters(text).toWellFormed();
    return clean.endsWith('…') ? `${this.#cutText(clean.slice(0, -1))}…` : this.#printed(clean);
  }

  /** The same for a name that is printable. */
  name(name: string): string {
    return this.#redact(name);
  }

  /** The same list if it contains no secret, because cases share lists. */
  names(names: readonly string[]): readonly string[] {
    if (names.length === 0) return names;
    const clean = names.map(this.#redact);
    return clean.every((name, position) => name === names[position]) ? names : clean;
  }

  /** How a value is stored that was converted. */
  keeping(value: unknown, converted: Converted): Keeping {
    return keepValue(value, converted, this.#holdsSecret);
  }

  value(value: unknown): Converted {
    return convert(value, this.#conversion());
  }

  object(value: unknown): ConvertedObject {
    return convertObject(value, this.#conversion());
  }

  #conversion(): ConvertOptions {
    return { redact: this.#redact, redactNumber: this.#redactor.redactNumber };
  }

  /**
   * Trace data with warnings and what the attempt printed; credentials in it are hidden by their names, in fields and
   * in text.
   */
  trace(traceData: unknown, attempt: Attempt): JsonObject {
    const options = {
      ...this.#conversion(),
      redact: (text: string) => this.#printed(text),
      hidesField: redactFields,
    };
    const converted = convertObject(traceData, options);
    for (const text of lossTexts('trace data', converted)) attempt.warnings.add(text);
    // What a regrade restores has no warnings.
    const { warnings: earlier = [] } = attempt.task.stored?.traceData ?? {};
    const warnings = [
      ...(Array.isArray(earlier) ? earlier : []),
      ...[...attempt.warnings].map((text) => this.text(text)),
    ];
    const stored = withWarnings(withStoredNames(converted.value), warnings);
    if (attempt.logs.length === 0 && attempt.task.stored === undefined) return stored;
    const printed = attempt.logs.map(({ isCut, ...entry }) => ({
      ...entry,
      text: isCut ? `${this.#cutText(entry.text)}\n` : this.#printed(entry.text),
    }));
    const logs = [...earlierLogs(attempt), ...printed];
    if (logs.length === 0) return stored;
    return { ...stored, logs: convert(logs, this.#conversion()).value };
  }

  /** How trace data of user code is stored, beside what assay adds to it. */
  keepingTrace(traceData: unknown, stored: JsonObject): Keeping {
    const seen = Sanitizer.traceData(stored) as JsonObject;
    if (isEmptyPlain(traceData) || isExactJson(traceData, seen)) return { isExact: true };
    const plain = convertObject(traceData);
    const found = withAndWithoutWarnings(seen).find((one) => isSameJson(plain.value, one));
    if (found === undefined) return { isExact: false, inexact: 'redacted' };
    return keepValue(traceData, { value: found, cut: plain.cut }, this.#holdsSecret);
  }

  /** A part of a request or an answer; credentials in it are hidden by their names, too. */
  callText(value: Json): Json {
    const redact = (text: string) => this.#printed(text.toWellFormed());
    return convert(value, { ...this.#conversion(), redact, hidesField: redactFields }).value;
  }

  scores(scores: readonly Score[]): Score[] {
    const taken = new Set<string>();
    return scores.map((score) => {
      const key = unlike(taken, this.#key(score.key));
      taken.add(key);
      const { notes, location } = score;
      if (notes === undefined) return key === score.key ? score : { ...score, key };
      return {
        ...score,
        key,
        notes: this.#notes(notes),
        ...(location === undefined ? {} : { location: this.#redact(location) }),
      };
    });
  }

  lookups({ missed, ...counts }: RecordingLookups): RecordingLookups {
    return {
      ...counts,
      missed: missed.map(({ path, before = '' }) =>
        path === undefined ? {} : { path: this.text(path), before: this.text(before) },
      ),
    };
  }

  /** Rules for the keys under which scores are stored. The very same object when those are as they were. */
  rules(rules: ScoreRules): ScoreRules {
    const entries = Object.entries(rules);
    if (entries.every(([key]) => this.#key(key) === key)) return rules;
    return Object.fromEntries(entries.map(([key, rule]) => [this.#key(key), rule]));
  }

  /** Calls repeat addresses, models and roles: short texts are remembered. */
  #printed(text: string): string {
    if (text.length > longestKnownText) return redactCredentials(this.#redact(text));
    const known = this.#printedTexts.get(text);
    if (known !== undefined) return known;
    const printed = redactCredentials(this.#redact(text));
    if (this.#printedTexts.size < maxKnownTexts) this.#printedTexts.set(text, printed);
    return printed;
  }

  #cutText(text: string): string {
    return redactCredentials(this.#redactor.redactCut(text));
  }

  /** Cleaning may leave nothing of a key, or make it longer. */
  #key(key: string): string {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const clean = this.text(key).slice(0, maxScoreKeyLength).toWellFormed() || 'score';
    if (this.#keys.size < maxKnownKeys) this.#keys.set(key, clean);
    return clean;
  }

  #notes(notes: string): string {
    const text = this.text(notes);
    return text.length <= maxNotes
      ? text
      : `${text.slice(0, maxNotes).toWellFormed()}… [cut: ${text.length} characters]`;
  }

  /** Converts stored trace data to that of evaluations. */
  static traceData(stored: JsonObject): TraceData {
    const { trace_url: url, time_to_first_chunk: time, logs: _, ...others } = stored;
    return {
      ...others,
      ...(typeof url === 'string' ? { traceUrl: url } : {}),
      ...(typeof time === 'number' ? { timeToFirstChunk: time } : {}),
    };
  }
}

/** Trace data as it is stored may have warnings that user code did not see. */
export function withAndWithoutWarnings({ warnings, ...seen }: JsonObject): JsonObject[] {
  return warnings === undefined ? [seen] : [{ warnings, ...seen }, seen];
}

/** What the stored form of a value does not show, as sentences; without what `keeping` says already. */
export function lossTexts(
  name: string,
  { cut, losses = [] }: Converted,
  keeping?: Keeping,
): readonly string[] {
  const said = keeping?.mend === undefined ? '' : keeping.inexact;
  return [
    ...(cut ? [`the ${name} was larger than 16 MiB and has been cut`] : []),
    ...losses
      .filter(({ kind }) => said?.startsWith(kind) !== true)
      .map(({ text }) => `the ${name} ${text}`),
  ];
}

/** Appends warnings to existing ones (of an earlier grading, or set by the evaluation). */
function withWarnings(traceData: JsonObject, warnings: readonly Json[]): JsonObject {
  if (warnings.length === 0) return traceData;
  const { warnings: there = [] } = traceData;
  const all = new Set<Json>([...(Array.isArray(there) ? there : [there]), ...warnings]);
  return { ...traceData, warnings: [...all] };
}

/** Fields with another name in evaluations than in stored results. */
function withStoredNames(traceData: JsonObject): JsonObject {
  if (!('traceUrl' in traceData || 'timeToFirstChunk' in traceData)) return traceData;
  const { traceUrl = null, timeToFirstChunk = null, ...others } = traceData;
  return {
    ...others,
    ...(traceUrl === null ? {} : { trace_url: traceUrl }),
    ...(timeToFirstChunk === null ? {} : { time_to_first_chunk: timeToFirstChunk }),
  };
}

/** Output from before a regrade, as far as there is room. */
function earlierLogs({ task }: Attempt): readonly Json[] {
  const logs = task.stored?.traceData.logs;
  return Array.isArray(logs) ? logs.slice(0, maxEarlierLogs) : [];
}

/** A key that is none of these: keys may differ in nothing but halves of characters, which are not stored. */
function unlike(taken: ReadonlySet<string>, key: string): string {
  let unique = key;
  for (let count = 2; taken.has(unique); count += 1) {
    unique = `${key.slice(0, maxScoreKeyLength - 8).toWellFormed()} ${count}`;
  }
  return unique;
}
