import { didYouMean } from '../text/near-names.js';
import type { PlacedValue } from './read-yaml.js';
import { isSettingKey, runConfigKeys, settingKeys } from './setting-keys.js';
import { placeText } from './settings-error.js';
import type { SettingsDocument } from './settings-schema.js';

/** Sentences about keys that look like slips, each with its place. Other unknown keys are nobody's business. */
export function findSlips(
  document: SettingsDocument,
  placeOf: PlacedValue['placeOf'],
): readonly string[] {
  const known = [...settingKeys, 'configs', 'scores'];
  const slips: string[] = [];
  for (const key of Object.keys(document)) {
    const near = known.includes(key) ? undefined : didYouMean(key, known);
    if (near) slips.push(`${placeText(placeOf([key]))}: ${key} is not a setting. ${near}`);
  }
  for (const [name, config] of Object.entries(document.configs ?? {})) {
    for (const key of Object.keys(config ?? {})) {
      if ((runConfigKeys as readonly string[]).includes(key)) continue;
      const place = placeText(placeOf(['configs', name, key]));
      slips.push(`${place}: ${key} is not part of a run config. ${whereItBelongs(key)}`);
    }
  }
  return slips;
}

function whereItBelongs(key: string): string {
  if (isSettingKey(key)) return `It holds for all runs: move it to the top of the file.`;
  return didYouMean(key, runConfigKeys) ?? 'What evaluations read as ctx.params stands in params.';
}
