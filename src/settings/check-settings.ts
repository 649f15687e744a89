import { maxScoreKeyLength } from '../model/score.js';
import { scoreRuleFields } from '../model/score-rule.js';
import { nameText } from '../text/name-text.js';
import { didYouMean } from '../text/near-names.js';
import type { PlacedValue, ValuePath } from './read-yaml.js';
import { isRunConfigName } from './run-config-name.js';
import { isRuleKey } from './score-rules.js';
import { leftAlone, placeText, SettingsError, valueText } from './settings-error.js';
import type { SettingsDocument, SettingsSchema } from './settings-schema.js';

interface Fault {
  readonly path: ValuePath;
  /** What is wrong, to stand between the key and the value it has; or all there is to say of the key. */
  readonly text: string;
  readonly isAboutKey?: true;
}

/**
 * Checks a parsed settings file against the schema.
 * Throws a `SettingsError` with line and column that names the key and the value it has.
 */
export function checkSettings(schema: SettingsSchema, parsed: PlacedValue): SettingsDocument {
  const [first, ...others] = findFaults(schema, parsed.value).map((fault) => ({
    place: parsed.placeOf(fault.path),
    text: faultText(parsed.value, fault),
  }));
  if (first === undefined) return parsed.value as SettingsDocument;
  throw new SettingsError(first.text, {
    place: first.place,
    hints: [
      ...others.slice(0, 5).map((other) => `${placeText(other.place)}: ${other.text}`),
      leftAlone,
    ],
  });
}

function findFaults(schema: SettingsSchema, value: unknown): Fault[] {
  const checked = schema.safeParse(value);
  if (!checked.success) {
    return checked.error.issues.flatMap((issue): Fault[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownRuleField([...issue.path, key], key))
        : [{ path: issue.path, text: issue.message }],
    );
  }
  // The names of the file itself: the schema library leaves __proto__ out.
  const { configs, scores } = value as SettingsDocument;
  const badNames = Object.keys(configs ?? {}).filter((name) => !isRunConfigName(name));
  const badKeys = Object.keys(scores ?? {}).filter((key) => !isRuleKey(key));
  return [
    ...badNames.map((name) => ({
      path: ['configs', name],
      text: 'needs a name of 1 to 100 printable characters without spaces around it',
    })),
    ...badKeys.map((key) => ({
      path: ['scores', key],
      text: `needs a score key of 1 to ${maxScoreKeyLength} characters`,
    })),
  ];
}

/** Only the rules of scores have no room for other keys. */
function unknownRuleField(path: ValuePath, field: string): Fault {
  const hint = didYouMean(field, scoreRuleFields) ?? `It has ${scoreRuleFields.join(' and ')}.`;
  return { path, text: `is not part of the rule of a score. ${hint}`, isAboutKey: true };
}

function faultText(value: unknown, { path, text, isAboutKey }: Fault): string {
  const received = path.reduce<unknown>(
    (at, key) => (at === null || at === undefined ? undefined : Reflect.get(Object(at), key)),
    value,
  );
  const subject =
    path.length === 0 ? 'The file' : path.map((key) => nameText(String(key))).join('.');
  return isAboutKey ? `${subject} ${text}` : `${subject} ${text}, not ${valueText(received)}.`;
}
