import {
  runConfigSettingKeys,
  type SettingKey,
  settingFacts,
  settingKeys,
} from './setting-keys.js';
import { expectedText, plainPath } from './setting-rule.js';

/** The run config part of a parsed settings file. */
export interface RunConfigDocument {
  readonly concurrency?: number | false | null | undefined;
  readonly timeout?: number | false | null | undefined;
  readonly trials?: number | false | null | undefined;
  readonly params?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A parsed and checked settings file; keys that assay does not know are kept. */
export interface SettingsDocument {
  readonly [key: string]: unknown;
  readonly configs?: Readonly<Record<string, RunConfigDocument | null>> | null | undefined;
  readonly scores?: Readonly<Record<string, ScoreRuleDocument | null>> | null | undefined;
}

/** The rule of a score key in a parsed settings file. */
interface ScoreRuleDocument {
  readonly threshold?: number | null | undefined;
  readonly better?: 'higher' | 'lower' | null | undefined;
}

/** The schema of a settings file. */
export type SettingsSchema = Awaited<ReturnType<typeof settingsSchema>>;

/** Builds the zod schema of a settings file; zod is loaded only by the first call. */
export async function settingsSchema() {
  const { z } = await import('zod');

  const setting = (key: SettingKey) => {
    const { rule, description, default: fallback } = settingFacts[key];
    // Given to every part, because a union passes on what its nearest part says.
    const error = `must be ${expectedText(rule)}`;
    const unset = [z.literal(0), z.literal(false), z.null()] as const;
    const text = `${description} Default: ${String(fallback)}.`;
    switch (rule.kind) {
      case 'integer':
        return z
          .union([z.int({ error }).min(rule.min, { error }).max(rule.max, { error }), ...unset], {
            error,
          })
          .optional()
          .describe(text);
      case 'seconds':
        return z
          .union([z.number({ error }).positive({ error }).max(rule.max, { error }), ...unset], {
            error,
          })
          .optional()
          .describe(text);
      case 'path':
        // An empty path leaves the setting unset, too.
        return z
          .union([z.string({ error }).regex(plainPath, { error }), ...unset], { error })
          .optional()
          .describe(text);
      case 'boolean':
        return z
          .union([z.boolean(), z.literal(0), z.null()], { error })
          .optional()
          .describe(text);
    }
  };

  const shape = (keys: readonly SettingKey[]) =>
    Object.fromEntries(keys.map((key) => [key, setting(key)]));

  const params = z
    .record(
      z.string(),
      z.unknown().refine((value) => isJson(value), { error: 'must be a value that JSON can hold' }),
      {
        error: 'must be a list of name: value',
      },
    )
    .nullish()
    .describe('Free values that evaluations read as ctx.params.');

  const runConfig = z
    .looseObject(
      { ...shape(runConfigSettingKeys), params },
      { error: 'must be a list of key: value, such as concurrency, timeout, trials and params' },
    )
    .nullable();

  const configs = z
    .record(z.string(), runConfig, { error: 'must be a list of run configs by name' })
    .nullish()
    .describe('Run configs by name: settings and params for one way to run.');

  const scoreRule = z
    .strictObject(
      {
        threshold: z
          .number({ error: 'must be a number' })
          .nullish()
          .describe('A value at or above it has passed; with better: lower, one at or below it.'),
        better: z
          .enum(['higher', 'lower'], { error: 'must be higher or lower' })
          .nullish()
          .describe('Which values are better. Default: higher.'),
      },
      { error: 'must be a list of key: value, such as threshold: 0.8' },
    )
    .nullable();

  const scores = z
    .record(z.string(), scoreRule, { error: 'must be a list of rules by score key' })
    .nullish()
    .describe('How values of scores are judged, by score key; evaluations can say it otherwise.');

  return z.looseObject(
    { ...shape(settingKeys), configs, scores },
    { error: 'must be a list of key: value, such as concurrency: 8' },
  );
}

/** `around` are the values it stands in: an alias may lead back to one of them. */
function isJson(value: unknown, around: readonly unknown[] = []): boolean {
  if (typeof value === 'object' && value !== null) {
    if (around.includes(value)) return false;
    return Object.values(value).every((inner) => isJson(inner, [...around, value]));
  }
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}
