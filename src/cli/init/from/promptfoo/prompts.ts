import { basename, extname, relative, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { isObject } from '../../../../model/json.js';
import { slashed } from '../../../../text/file-path.js';
import { uniqueName } from '../names.js';
import { readSource } from '../read-source.js';
import { leave, leftComment, type Tally } from '../tally.js';
import { isSimpleTemplate } from '../template.js';
import { type Config, parseYaml } from './read-config.js';

interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A prompt that the file has. */
export interface Prompt {
  /** The value of the param. */
  readonly name: string;
  readonly messages: readonly Message[];
  /** The file with the text of its only message, relative to the configuration; absent where the text is in the file itself. */
  readonly file?: string;
}

/** The prompts of a configuration. */
export interface Prompts {
  readonly prompts: readonly Prompt[];
  /** Comments for those that are left. */
  readonly left: readonly (readonly string[])[];
}

/** Reads prompts, in each of the forms that promptfoo knows. Error: `bad-request` for a file that cannot be read. */
export function readPrompts(config: Config, tally: Tally): Prompts {
  const { prompts: given = [] } = config.value;
  const prompts: Prompt[] = [];
  const left: (readonly string[])[] = [];
  const names = new Set<string>();
  const reject = (reason: string, original: unknown) => {
    leave(tally, 'prompt');
    left.push(leftComment(`this prompt is not translated: ${reason}.`, original));
  };
  const take = (label: string | undefined, text: string, file?: string) => {
    const messages = messagesOf(text, config.path);
    if (typeof messages === 'string') return reject(messages, text);
    const name = uniqueName(shortName(label) || `prompt${prompts.length + 1}`, names);
    const isFile = file !== undefined && messages.length === 1 && messages[0]?.content === text;
    prompts.push({ name, messages, ...(isFile && { file }) });
  };
  for (const one of entriesOf(given)) {
    const { raw, label, others } = one;
    if (raw === undefined || others.length > 0) {
      reject(
        raw === undefined ? 'it has no text' : `its ${others[0]} has no translation`,
        one.original,
      );
    } else if (!isFileName(raw)) take(label, raw);
    else {
      const path = raw.replace(/^file:\/\//, '');
      for (const file of filesOf(path, config)) {
        const texts = textsOf(file, config);
        if (typeof texts === 'string') reject(texts, one.original);
        else {
          const name = label ?? basename(file, extname(file));
          for (const text of texts)
            take(name, text, texts.length === 1 ? importable(file, config) : undefined);
        }
      }
    }
  }
  return { prompts, left };
}

interface Entry {
  readonly raw: string | undefined;
  readonly label: string | undefined;
  readonly others: readonly string[];
  readonly original: unknown;
}

function entriesOf(given: unknown): Entry[] {
  if (typeof given === 'string') return [entryOf(given)];
  if (Array.isArray(given)) return given.map(entryOf);
  if (!isObject(given)) return [];
  // The older form: files with their labels.
  return Object.entries(given).map(([raw, label]) => ({
    ...{ raw, original: { [raw]: label }, others: [] },
    label: typeof label === 'string' ? label : undefined,
  }));
}

function entryOf(original: unknown): Entry {
  if (typeof original === 'string')
    return { raw: original, label: undefined, others: [], original };
  const { raw, id, label, ...others } = isObject(original) ? original : {};
  const text = raw ?? id;
  return {
    raw: typeof text === 'string' ? text : undefined,
    label:
      typeof label === 'string'
        ? label
        : typeof id === 'string' && raw !== undefined
          ? id
          : undefined,
    others: Object.keys(others),
    original,
  };
}

const fileName = /\.(txt|md|json|jsonl|ya?ml|j2|csv|py|[cm]?[jt]s|sh|rb)(:\w+)?$/;

function isFileName(raw: string): boolean {
  if (raw.includes('\n')) return false;
  return raw.startsWith('file://') || (fileName.test(raw) && !raw.includes('{{'));
}

/** The files of a path or a glob, relative to the configuration. */
function filesOf(path: string, config: Config): string[] {
  if (!/[*?[{]/.test(path)) return [path];
  const found = globSync([slashed(path)], { cwd: config.folder }).sort();
  return found.length === 0 ? [path] : found;
}

/** The texts in a file of prompts, or why it cannot be translated. */
function textsOf(file: string, config: Config): string[] | string {
  const kind = extname(file).toLowerCase();
  if (!['.txt', '.md', '.json', '.jsonl', '.yaml', '.yml', '.j2'].includes(kind)) {
    return 'its file is code, or a table';
  }
  const text = readSource(config.folder, file, config.path);
  if (kind === '.jsonl') return text.split(/\r?\n/).filter((line) => line !== '');
  if (kind === '.yaml' || kind === '.yml') return [JSON.stringify(parseYaml(text, file))];
  if (kind !== '.txt') return [text];
  // Lines of three dashes are between the prompts of one file.
  const parts = text.split(/\r?\n/).reduce<string[][]>(
    (all, line) => {
      if (line.trim() === '---') all.push([]);
      else all.at(-1)?.push(line);
      return all;
    },
    [[]],
  );
  return parts.map((lines) => lines.join('\n').trim()).filter((one) => one !== '');
}

/** The path of a file that TypeScript can import as text and that reads alike then; `undefined` if it cannot. */
function importable(file: string, config: Config): string | undefined {
  if (!/\.(txt|md)$/.test(file) || readSource(config.folder, file).includes('\r')) return undefined;
  const path = slashed(relative(config.folder, resolve(config.folder, file)));
  return path.startsWith('.') ? path : `./${path}`;
}

/** The messages that a text stands for: JSON or YAML of a chat, else the text itself. The reason as a text if it has other parts. */
function messagesOf(text: string, path: string): Message[] | string {
  const chat = /^\s*- role:/.test(text) ? parseYaml(text, path) : parsedJson(text);
  if (chat !== undefined) {
    const hasFiles = text.includes('file://');
    if (hasFiles || !Array.isArray(chat) || !chat.every(isMessage))
      return 'it is more than a chat of texts';
    const messages = chat.map(({ role, content }) => ({ role, content }));
    if (messages.every(({ content }) => isSimpleTemplate(content))) return messages;
  } else if (isSimpleTemplate(text)) return [{ role: 'user', content: text }];
  return 'its template has more than names';
}

/** The lists and objects of JSON; `undefined` for other texts. */
function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is Message {
  if (!isObject(value) || typeof value.content !== 'string') return false;
  const roles = ['system', 'user', 'assistant'];
  return roles.includes(String(value.role)) && Object.keys(value).length === 2;
}

/** A value of the param without what a command line reads. */
function shortName(label = ''): string {
  return label
    .replace(/[^\w.-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}
