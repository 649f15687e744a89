import { captures } from '../model/calls/model-call.js';
import { isWholeUpTo, maxConcurrency, maxTimeout, maxTrials } from '../model/option-ranges.js';
import { isJsonPath, recordingModes } from '../recordings/recording.js';
import { editorNames, editorTemplate } from '../text/editor-address.js';
import { hasHidden, normalName } from '../text/person-name.js';

/** A setting: its meaning, its default, and its rule in words, as JSON Schema and as a check. */
export interface Setting<V = unknown> {
  /** One sentence. */
  readonly description: string;
  readonly default: V;
  /** Description of valid values; completes a sentence such as `trials must be …`. */
  readonly expected: string;
  /** JSON Schema of a value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Other values that leave the setting unset. */
  readonly unset: readonly unknown[];
  accepts(value: unknown): boolean;
  /** Parses text that is not blank: `null` leaves the setting unset, a value that `accepts` refuses is an error. */
  parse(text: string): unknown;
}

interface WholeSetting extends Setting<number> {
  readonly max: number;
}

function whole(max: number, fallback: number, description: string): WholeSetting {
  return {
    max,
    description,
    default: fallback,
    expected: `a whole number from 1 to ${max}`,
    schema: { type: 'integer', minimum: 1, maximum: max },
    unset: [null, 0, false],
    accepts: (value) => isWholeUpTo(max, value),
    parse: parseNumber,
  };
}

/** A number above 0; without `max` of any size. */
function amount<Default extends number | null>(
  unit: string,
  fallback: Default,
  description: string,
  max?: number,
): Setting<number | Default> {
  return {
    description,
    default: fallback,
    expected: `a number of ${unit} above 0${max === undefined ? '' : ` and at most ${max}`}`,
    schema: { type: 'number', exclusiveMinimum: 0, ...(max !== undefined && { maximum: max }) },
    unset: [null, 0, false],
    accepts: (value) =>
      typeof value === 'number' && value > 0 && value <= (max ?? Number.MAX_VALUE),
    parse: parseNumber,
  };
}

/** Most that is stored of the calls of one attempt, in MiB. */
const maxCaptureMib = 64;

/** A path without control characters, which terminals, logs and file systems handle. */
function path<Default extends string | null>(
  fallback: Default,
  description: string,
): Setting<string | Default> {
  const plain = /^\P{Cc}*$/u;
  return {
    description,
    default: fallback,
    expected: 'a path without control characters',
    schema: { type: 'string', minLength: 1, pattern: plain.source },
    unset: [null, 0, false, ''],
    accepts: (value) => typeof value === 'string' && plain.test(value),
    parse: (text) => text,
  };
}

function url(description: string, pattern: RegExp, expected: string): Setting<string | null> {
  return {
    description,
    default: null,
    expected,
    schema: { type: 'string', pattern: pattern.source },
    unset: [null, 0, false, ''],
    accepts: (value) => typeof value === 'string' && pattern.test(value),
    parse: (text) => text.trim(),
  };
}

function toggle(description: string): Setting<boolean> {
  return {
    description,
    default: false,
    expected: 'true or false',
    schema: { type: 'boolean' },
    unset: [null, 0],
    accepts: (value) => typeof value === 'boolean',
    parse: (text) => {
      const word = text.trim().toLowerCase();
      if (['true', '1', 'yes', 'on'].includes(word)) return true;
      return ['false', '0', 'no', 'off', 'null'].includes(word) ? false : undefined;
    },
  };
}

function choice<V extends string>(values: readonly [V, ...V[]], description: string): Setting<V> {
  return {
    description,
    default: values[0],
    expected: `one of ${values.join(', ')}`,
    schema: { type: 'string', enum: values },
    unset: [null, 0, false, ''],
    accepts: (value) => values.some((one) => one === value),
    parse: (text) => text.trim().toLowerCase(),
  };
}

/** A name of 1 to 100 printable characters. */
function name(description: string): Setting<string | null> {
  const pattern = /^(?=.*\S)\P{Cc}{1,100}$/u;
  return {
    description,
    default: null,
    expected: '1 to 100 printable characters, none of them invisible',
    schema: { type: 'string', pattern: pattern.source },
    unset: [null, 0, false, ''],
    accepts: (value) => typeof value === 'string' && pattern.test(value) && !hasHidden(value),
    parse: normalName,
  };
}

/** An editor that opens files, by its name or by the address that does it. */
function editor(description: string): Setting<string | null> {
  return {
    description,
    default: null,
    expected: `one of ${editorNames.join(', ')}, or an address with {path}`,
    schema: {
      anyOf: [{ enum: editorNames }, { type: 'string', pattern: '^[^:]+://.*\\{path\\}' }],
    },
    unset: [null, 0, false, ''],
    accepts: (value) =>
      typeof value === 'string' && (editorNames.includes(value) || editorTemplate.test(value)),
    parse: (text) => text.trim(),
  };
}

/** Values that text separates by commas. */
function list(
  isItem: (value: unknown) => boolean,
  expected: string,
  description: string,
): Setting<readonly string[] | null> {
  return {
    description,
    default: null,
    expected,
    schema: { type: 'array', items: { type: 'string' } },
    unset: [null, 0, false],
    accepts: (value) => Array.isArray(value) && value.every(isItem),
    parse: (text) => text.split(',').map((item) => item.trim()),
  };
}

function isPackageName(value: unknown): boolean {
  return typeof value === 'string' && /^(?:@[^/\s@]+\/)?[^/\s@]+$/.test(value);
}

function isHost(value: unknown): boolean {
  return typeof value === 'string' && /^[^/\s?#@]+$/.test(value);
}

function parseNumber(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (/^(0+(\.0*)?|null|false)$/i.test(trimmed)) return null;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
}

/** Every setting, in display order. */
export const settingTable = {
  concurrency: whole(maxConcurrency, 8, 'Number of evaluations that run at the same time.'),
  timeout: amount(
    'seconds',
    300,
    'Seconds for one attempt: target, body and evaluators together.',
    maxTimeout,
  ),
  import_timeout: amount(
    'seconds',
    30,
    'Seconds that the import of an eval file may take without loading another module.',
    maxTimeout,
  ),
  tsconfig: path(
    null,
    'The tsconfig.json that applies to all files of the project, relative to the settings file, instead of the nearest above each.',
  ),
  trials: whole(maxTrials, 1, 'Number of times that each evaluation runs.'),
  results_dir: path('.assay/sessions', 'Folder of the saved runs, relative to the settings file.'),
  completion_notifications: toggle('Notify when a run has finished.'),
  verbose: toggle('Show what evaluations print.'),
  isolate: toggle('Run each attempt in its own process.'),
  capture: choice(
    captures,
    'What to store of HTTP calls: `full`, `usage` (numbers without text) or `off`.',
  ),
  capture_mib: amount(
    'MiB',
    2,
    'MiB to keep of the calls of one attempt; the middle of longer texts is cut.',
    maxCaptureMib,
  ),
  not_models: list(
    isHost,
    'a list of hosts and programs such as search.example.com, localhost:3000 or python3',
    'Hosts whose requests are not calls of a model, though they look like it, and programs that call no model; `*` stands for any characters.',
  ),
  max_cost: amount(
    'US dollars',
    null,
    'Budget of a run in US dollars; when it is spent, the rest is cancelled.',
  ),
  recordings: choice(
    recordingModes,
    'Recording and replay of calls: `off`, `record` (what is not recorded is called and recorded), `record-all` (everything is), `replay` (like `record`, but files that cannot be used stay as they are) or `offline` (other calls are refused).',
  ),
  recordings_dir: path('.assay/recordings', 'Folder of recordings, relative to the settings file.'),
  recordings_ignore: list(
    isHost,
    'a list of hosts such as flags.example.com',
    'Hosts whose calls are not recorded, and are answered with status 204 offline, beside those of telemetry; `*` stands for any characters.',
  ),
  recordings_hosts: list(
    isHost,
    'a list of hosts such as localhost:3000',
    'Hosts of this machine whose calls are recorded even if they are not calls of a model; `*` stands for any characters.',
  ),
  redis: url(
    'Redis server whose workers run the evaluations, such as redis://127.0.0.1:6379.',
    /^rediss?:\/\//,
    'a redis:// or rediss:// URL',
  ),
  normalize: list(
    isJsonPath,
    'a list of paths such as metadata.date or messages[*].name',
    'Paths in JSON bodies of requests, such as dates and ids, that are ignored when recordings are looked up.',
  ),
  baseline_max_age_days: amount(
    'days',
    null,
    'Days after which a comparison says that its baseline is old.',
  ),
  editor: editor(
    'Editor that the page opens files in: a name, or an address such as subl://open?url=file://{path}&line={line}. Only for pages of this machine.',
  ),
  reviewer: name('Who labels results here. Default: the user of the system.'),
  stateless_packages: list(
    isPackageName,
    'a list of names of packages such as my-client or @scope/prompts',
    'Packages that keep no state between targets and graders, so that `--changed` may only grade again where both use them.',
  ),
};

export type SettingKey = keyof typeof settingTable;

/** One value per setting; `timeout` in seconds, `results_dir` a path. */
export type SettingValues = {
  readonly [K in SettingKey]: (typeof settingTable)[K]['default'];
};

/** Values that come before those of the environment and of the settings file: of flags, a request or a script. */
export type SettingOverrides = { readonly [K in SettingKey]?: SettingValues[K] | undefined };

export const settingKeys = Object.keys(settingTable) as readonly SettingKey[];

/** The keys of a run config that override settings. */
export const runConfigSettingKeys = ['concurrency', 'timeout', 'trials'] as const;

/** Every key that a run config understands. */
export const runConfigKeys = [...runConfigSettingKeys, 'params'] as const;

/** True for the name of a setting. */
export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingTable, key);
}

/** True for a setting whose value is a path. */
export function isPathKey(key: string): boolean {
  return key === 'results_dir' || key === 'recordings_dir' || key === 'tsconfig';
}

/** JSON Schema of a setting in a file or a request, where it may also be unset. */
export function settingSchema(key: SettingKey) {
  const { description, default: fallback, schema, unset } = settingTable[key];
  const constants = unset.map((value) => (value === null ? { type: 'null' } : { const: value }));
  return {
    description: `${description} Default: ${fallback ?? 'none'}.`,
    anyOf: [schema, ...constants],
  };
}
