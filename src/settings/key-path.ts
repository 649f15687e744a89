import { AssayError } from '../errors.js';
import { scoreRuleFields } from '../model/scores/score-rule.js';
import { didYouMean } from '../text/near-names.js';
import {
  type CallMapKey,
  callMapKeys,
  callMaps,
  fieldsText,
  isCallMapKey,
} from './prices-and-rates.js';
import { isSettingKey, runConfigKeys, settingKeys } from './setting-table.js';
import { viewFields } from './views.js';

/** A split key of the settings file: `configs.vader.trials` is three names. */
export type KeyPath = readonly string[];

const segment = /"([^"]*)"|'([^']*)'|([^."']+)/y;

/**
 * Splits a dotted key; a name that contains a dot is quoted: `configs."gpt-4.1".trials`. Throws `usage` for empty
 * names, unbalanced quotes and reserved names.
 */
export function parseKeyPath(text: string): KeyPath {
  const path: string[] = [];
  let at = 0;
  do {
    segment.lastIndex = at;
    const match = segment.exec(text);
    const name = match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
    at += match?.[0].length ?? 0;
    const ended = at === text.length || text[at] === '.';
    if (name === '' || !ended) throw unreadable(text);
    if (['__proto__', 'constructor', 'prototype'].includes(name)) throw unreadable(text);
    path.push(name);
    at += 1;
  } while (at <= text.length);
  return path;
}

function unreadable(text: string): AssayError {
  return new AssayError('usage', `${JSON.stringify(text)} is not a key.`, {
    hints: [
      'Write names with dots between them: configs.fast.params.model',
      `Put a name that contains a dot in quotes: 'configs."gpt-4.1".params.model'`,
    ],
  });
}

/** The dotted text of a key, with quotes where `parseKeyPath` needs them. */
export function keyPathText(path: KeyPath): string {
  return path.map((name) => (/[."']/.test(name) ? quote(name) : name)).join('.');
}

function quote(name: string): string {
  return name.includes('"') ? `'${name}'` : `"${name}"`;
}

/** Throws `usage`, with a suggestion, unless assay knows the key and it can be set. */
export function checkKeyPath(path: KeyPath): void {
  const [top = '', config, key, ...rest] = path;
  if (isSettingKey(top)) {
    if (path.length > 1) throw unknownKey(path, `${top} has no keys below it.`);
    return;
  }
  if (top === 'scores') {
    checkRulePath(path);
    return;
  }
  if (top === 'views') {
    checkViewPath(path);
    return;
  }
  if (isCallMapKey(top)) {
    checkCallMapPath(top, path);
    return;
  }
  if (top !== 'configs') {
    const all = [...settingKeys, 'configs', 'scores', 'views', ...callMapKeys];
    throw unknownKey(
      path,
      didYouMean(top, all) ??
        `Settings: ${settingKeys.join(', ')}, configs.NAME.KEY, scores.KEY.threshold, views.NAME.query, ${callMapKeys.map((map) => `${map}.MODEL.KEY`).join(', ')}.`,
    );
  }
  if (config === undefined || key === undefined) {
    throw unknownKey(path, 'Name a config and its key: configs.fast.trials');
  }
  if (!(runConfigKeys as readonly string[]).includes(key)) {
    throw unknownKey(
      path,
      didYouMean(key, runConfigKeys) ?? `A run config has ${runConfigKeys.join(', ')}.`,
      `Put a name that contains a dot in quotes: 'configs."gpt-4.1".params.model'`,
    );
  }
  if (key !== 'params' && rest.length > 0) throw unknownKey(path, `${key} has no keys below it.`);
  if (key === 'params' && rest.length === 0) {
    throw unknownKey(path, `Name the param: configs.${config}.params.model`);
  }
}

function checkRulePath(path: KeyPath): void {
  const [, key, field] = path;
  if (key === undefined || field === undefined) {
    throw unknownKey(path, 'Name a score and a part of its rule: scores.accuracy.threshold');
  }
  if (path.length > 3) throw unknownKey(path, `${field} has no keys below it.`);
  if (!(scoreRuleFields as readonly string[]).includes(field)) {
    throw unknownKey(
      path,
      didYouMean(field, scoreRuleFields) ??
        `The rule of a score has ${scoreRuleFields.join(', ')}.`,
      `Put a name that contains a dot in quotes: 'scores."exact.match".threshold'`,
    );
  }
}

function checkViewPath(path: KeyPath): void {
  const [, name, field] = path;
  if (name === undefined || field === undefined) {
    throw unknownKey(path, 'Name a view and a part of it: views.slow.query');
  }
  if (path.length > 3) throw unknownKey(path, `${field} has no keys below it.`);
  if (!(viewFields as readonly string[]).includes(field)) {
    throw unknownKey(
      path,
      didYouMean(field, viewFields) ?? `A view has ${viewFields.join(' and ')}.`,
    );
  }
}

function checkCallMapPath(map: CallMapKey, path: KeyPath): void {
  const [, name, field] = path;
  const { example, entry, fields } = callMaps[map];
  if (name === undefined) throw unknownKey(path, `Name a model: ${example}`);
  // A whole entry has to be set at once where it cannot be without some of its keys.
  if (field === undefined) return;
  if (path.length > 3) throw unknownKey(path, `${field} has no keys below it.`);
  if (Object.hasOwn(fields, field)) return;
  throw unknownKey(
    path,
    didYouMean(field, Object.keys(fields)) ?? `It is ${entry}, with ${fieldsText(map)}.`,
    `Put a name that contains a dot in quotes: '${map}."gpt-4.1".${Object.keys(fields)[0]}'`,
  );
}

/** The error for a key that is unknown and not in the file. */
export function unknownKey(path: KeyPath, ...hints: readonly string[]): AssayError {
  return new AssayError('usage', `There is no setting ${keyPathText(path)}.`, { hints });
}
