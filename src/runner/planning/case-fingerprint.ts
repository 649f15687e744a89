import type { CallLimits } from '../../model/calls/call-rules.js';
import type { CaseFingerprint } from '../../model/code/file-code.js';
import type { JsonObject } from '../../model/result.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import type { DescribedValues, Descriptor } from '../../protocol/messages.js';
import type { ResolvedRunConfig } from '../../settings/resolve-run-config.js';
import { shortHash } from '../../text/short-hash.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { declaredParams } from './params.js';
import { redactedParams } from './secret-params.js';

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
export function scheduleOf(
  config: ResolvedRunConfig,
  descriptors: readonly Descriptor[],
  runner: Pick<RunnerDependencies, 'redact' | 'secrets'>,
) {
  return {
    maxCost: config.maxCost,
    params: paramsHash(config),
    paramsInEffect: paramsInEffect(config.params, descriptors, runner),
  };
}

/** The params of a run over the defaults on which its evaluations agree; `undefined` for none. */
function paramsInEffect(
  params: JsonObject,
  descriptors: readonly Descriptor[],
  runner: Pick<RunnerDependencies, 'redact' | 'secrets'>,
): JsonObject | undefined {
  const agreed = [...declaredParams(descriptors).defaults].flatMap(([name, [value, ...others]]) =>
    value === undefined || others.length > 0 ? [] : [[name, value] as const],
  );
  const all = { ...Object.fromEntries(agreed), ...params };
  if (Object.keys(all).length === 0) return undefined;
  return redactedParams(all, runner);
}

/** Between the hash of params and that of settings. */
const settingsMark = '-';

/**
 * Hash of what evaluations see of a run config: its params, whose order of keys counts as in cases, because a prompt may be
 * made of them, and settings that decide which calls there are for graders, where these are not the defaults.
 */
export function paramsHash({
  params,
  calls: { capture, notModels = [] },
}: Pick<ResolvedRunConfig, 'params' | 'calls'>): string {
  const hash = shortHash(JSON.stringify(params));
  const isOff = capture === 'off';
  if (!isOff && notModels.length === 0) return hash;
  return `${hash}${settingsMark}${shortHash(JSON.stringify(isOff || notModels))}`;
}

/** What is different where hashes of {@link paramsHash} are. */
export function differingParams(before: string | undefined, now: string): string {
  const paramsOf = (hash: string) => hash.split(settingsMark)[0];
  return before !== undefined && paramsOf(before) === paramsOf(now)
    ? 'the setting capture or not_models'
    : 'params';
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
