import { nameText } from '../model/name-text.js';
import type { PlacedValue, ValuePath } from './read-yaml.js';
import { isRunConfigName } from './run-config-name.js';
import { leftAlone, placeText, SettingsError, valueText } from './settings-error.js';
import type { SettingsDocument, SettingsSchema } from './settings-schema.js';

interface Fault {
  readonly path: ValuePath;
  readonly text: string;
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
    return checked.error.issues.map((issue) => ({ path: issue.path, text: issue.message }));
  }
  // The names of the file itself: the schema library leaves __proto__ out.
  return Object.keys((value as SettingsDocument).configs ?? {})
    .filter((name) => !isRunConfigName(name))
    .map((name) => ({
      path: ['configs', name],
      text: 'needs a name of 1 to 100 printable characters without spaces around it',
    }));
}

function faultText(value: unknown, { path, text }: Fault): string {
  const received = path.reduce<unknown>(
    (at, key) => (at === null || at === undefined ? undefined : Reflect.get(Object(at), key)),
    value,
  );
  const subject =
    path.length === 0 ? 'The file' : path.map((key) => nameText(String(key))).join('.');
  return `${subject} ${text}, not ${valueText(received)}.`;
}
