import type { CallLimits } from '../../model/calls/call-rules.js';
import type { CaseFingerprint } from '../../model/code/file-code.js';
import type { JsonObject } from '../../model/json.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import type { DescribedValues, Descriptor } from '../../protocol/messages.js';
import type { ResolvedRunConfig } from '../../settings/resolve-run-config.js';
import { shortHash } from '../../text/short-hash.js';

/** What a fingerprint needs of a planned row. */
interface FingerprintedRow {
  readonly dataset: string;
  readonly labels: readonly string[];
  readonly trial?: number | undefined;
}

/** Makes the fingerprint of a row from its plan, its values and the rules of its scores. */
export type FingerprintOf = (
  row: FingerprintedRow,
  values: DescribedValues,
  rules: ScoreRules | undefined,
) => CaseFingerprint | undefined;

/** Fingerprints of the rows of discovered evaluations. */
export function fingerprintOf(
  descriptors: readonly Descriptor[],
  { timeout }: Pick<ResolvedRunConfig, 'timeout'>,
): FingerprintOf {
  const timeouts = new Map<string, number>();
  const limits = new Map<string, CallLimits>();
  for (const one of descriptors) {
    if (one.timeout !== undefined) timeouts.set(one.id, one.timeout);
    if (one.limits !== undefined) limits.set(one.id, one.limits);
  }
  const hashOfRest = hashOfShared();
  const hashOfGrading = hashOfShared();
  return (row, { id, exact, scoreKey }, rules) => {
    if (exact === undefined) return undefined;
    const { dataset, labels, trial } = row;
    const seconds = timeout.flag ?? timeouts.get(id) ?? timeout.base;
    const rest = [dataset, labels, seconds, limits.get(id) ?? null, trial !== undefined];
    const grading = hashOfGrading([scoreKey ?? null, rules ?? null]);
    return { case: `${exact}${hashOfRest(rest)}`, grading };
  };
}

/** What a run config says about an execution. */
export function scheduleOf({ maxCost, params }: ResolvedRunConfig): {
  readonly maxCost: number | undefined;
  readonly params: string;
} {
  return { maxCost, params: paramsHash(params) };
}

/** Hash of the params of a run config. The order of keys counts, as in cases: a prompt may be made of them. */
export function paramsHash(params: JsonObject): string {
  return shortHash(JSON.stringify(params));
}

/** Hashes what many rows share, one after the other. */
function hashOfShared(): (parts: readonly unknown[]) => string {
  const hashes = new Map<string, string>();
  let last: readonly unknown[] = [];
  let hash = '';
  return (parts) => {
    if (parts.length === last.length && parts.every((part, at) => part === last[at])) return hash;
    const text = JSON.stringify(parts);
    hash = hashes.get(text) ?? shortHash(text);
    if (hashes.size < mostHashes) hashes.set(text, hash);
    last = parts;
    return hash;
  };
}

const mostHashes = 10_000;
