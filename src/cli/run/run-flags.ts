import { Flags, type Interfaces } from '@oclif/core';
import { AssayError } from '../../errors.js';
import { parseShard, type ShardRequest } from '../../model/shard.js';
import type { Inspecting } from '../../protocol/messages.js';
import { type RecordingMode, recordingModes } from '../../recordings/recording.js';
import type { Sample } from '../../runner/changes/take-over.js';
import { rowKinds } from '../../runner/planning/filter-rows.js';
import {
  type SettingKey,
  type SettingOverrides,
  settingKeys,
  settingTable,
} from '../../settings/setting-table.js';
import { parseWholeNumber, redisFlag, resultsDirFlag } from '../flags.js';
import { selectionFlags } from '../selection-flags.js';
import { gateFlags } from './gate-flags.js';

function wholeNumber(
  name: string,
  description: string,
  options: { char?: 'c'; group: string; max?: number },
) {
  return Flags.custom<number>({
    description,
    ...(options.char === undefined ? {} : { char: options.char }),
    helpGroup: options.group,
    helpValue: 'N',
    parse: parseWholeNumber(name, { min: 1, max: options.max }),
  })();
}

const { concurrency, timeout, trials, verbose, isolate } = settingTable;

const select = 'SELECTION';
const how = 'EXECUTION';
const saved = 'SAVED RUN';
const outcome = 'OUTCOME';

/** A flag for a setting that is a number of any size. */
function amountFlag(
  key: 'timeout' | 'max_cost',
  helpValue: string,
  description = settingTable[key].description,
) {
  const { accepts, expected } = settingTable[key];
  return Flags.custom<number>({
    description,
    helpGroup: how,
    helpValue,
    parse: async (text) => {
      const value = Number(text);
      if (text.trim() !== '' && accepts(value)) return value;
      throw new AssayError(
        'usage',
        `--${flagOf(key)} takes ${expected}, not ${JSON.stringify(text)}.`,
      );
    },
  })();
}

/** Where a debugger attaches. */
const usualInspector = '127.0.0.1:9229';

/** Flags that cannot be combined with a debugger in one process of this machine. */
const notInspected = 'redis watch workers concurrency isolate list explain'.split(' ');

function inspectFlag(description: string) {
  return Flags.custom<Omit<Inspecting, 'stops'>>({
    description,
    helpGroup: how,
    helpValue: '[HOST:]PORT',
    exclusive: notInspected,
    parse: async (text, _, { name }) => {
      const [, host = '127.0.0.1', digits] =
        /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(text.trim()) ?? [];
      const port = Number(digits);
      if (port <= 65_535) return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
      throw new AssayError(
        'usage',
        `--${name} takes a port, or HOST:PORT, not ${JSON.stringify(text)}.`,
        { hints: [`Such as --${name}=9230. Without one, it is ${usualInspector}.`] },
      );
    },
  })();
}

/** Parses `5%` or `20`. */
function parseSample(text: string): Sample {
  const [, digits = '', percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  const value = Number(digits);
  if (percent === '%' && value > 0 && value <= 100) return { share: value / 100 };
  if (percent === '' && Number.isSafeInteger(value) && value > 0) return { count: value };
  throw new AssayError(
    'usage',
    `--verify takes a share or a number of results, not ${JSON.stringify(text)}.`,
    { hints: ['Such as 5% or 20.'] },
  );
}

/** Flags for properties that are fixed in a saved run. */
const newRunOnly = 'trials run-name ignore allow-only list explain no-save shard'.split(' ');

/** The flags of `assay run`. */
export const runFlags = {
  ...selectionFlags(select),
  limit: wholeNumber('limit', 'Run at most N cases.', { group: select }),
  shard: Flags.custom<ShardRequest>({
    description: 'Run the part I of N; `sessions merge` makes one run of all parts.',
    helpGroup: select,
    helpValue: 'I/N',
    parse: async (text) => {
      const shard = parseShard(text);
      if (shard !== undefined) return shard;
      throw new AssayError(
        'usage',
        `--shard takes I/N with I from 1 to N, such as 2/4, not ${JSON.stringify(text)}.`,
      );
    },
  })(),
  ignore: Flags.string({
    description: 'Leave out files that match.',
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: select,
    helpValue: 'GLOB',
  }),
  changed: Flags.boolean({
    description: 'Run only what has changed; results of the session are carried over for the rest.',
    helpGroup: select,
    exclusive: ['rerun', 'resume', 'regrade'],
  }),
  since: Flags.string({
    description:
      'Carry over results of this run only, or of the newest run before HEAD parted from a git revision.',
    helpGroup: select,
    helpValue: 'RUN|REVISION',
    relationships: [{ type: 'some', flags: ['changed', 'explain'] }],
  }),
  verify: Flags.custom<Sample>({
    description:
      'Run this part of the carried results again, and report those that differ: 5% or a number.',
    helpGroup: select,
    helpValue: 'PART',
    dependsOn: ['changed'],
    exclusive: ['list', 'watch'],
    parse: async (text) => parseSample(text),
  })(),
  explain: Flags.string({
    description:
      'Show why --changed would run or carry this result: all that it depends on, then and now.',
    helpGroup: select,
    helpValue: 'ID',
    exclusive: ['list', 'watch', 'shard', 'output', 'baseline', 'bless', 'comment', 'reporter'],
  }),
  list: Flags.boolean({ description: 'Show what would run, and run nothing.', helpGroup: select }),
  watch: Flags.boolean({
    description: 'Run, then wait, and run again what a saved file affects.',
    helpGroup: select,
  }),
  'allow-only': Flags.boolean({
    description: 'Accept evaluations marked `only` although CI is set.',
    helpGroup: select,
  }),
  concurrency: wholeNumber('concurrency', concurrency.description, {
    char: 'c',
    group: how,
    max: concurrency.max,
  }),
  workers: wholeNumber(
    'workers',
    'Number of processes. Default 1, or one for each variant if they read files.',
    {
      group: how,
      max: 64,
    },
  ),
  redis: redisFlag(how),
  'any-node': Flags.boolean({
    description: 'With --redis, let workers with another major version of Node take part.',
    helpGroup: how,
  }),
  isolate: Flags.boolean({
    description: isolate.description,
    helpGroup: how,
    allowNo: true,
  }),
  inspect: inspectFlag(
    'Let a debugger attach to the one process that runs them, one after the other and without time limits. Default: 127.0.0.1:9229.',
  ),
  'inspect-brk': inspectFlag('The same, and stop where the first eval file begins.'),
  timeout: amountFlag('timeout', 'S', `${timeout.description} Overrides that of evaluations.`),
  'max-cost': amountFlag('max_cost', 'USD'),
  trials: wholeNumber('trials', trials.description, { group: how, max: trials.max }),
  record: Flags.boolean({
    description:
      'Answer calls from recordings; call and record the rest. --record=all: call and record everything.',
    helpGroup: how,
    exclusive: ['replay', 'offline'],
  }),
  // What is made of `--record=all`.
  'record-all': Flags.boolean({ hidden: true, exclusive: ['record', 'replay', 'offline'] }),
  replay: Flags.boolean({
    description: 'The same as --record, and leave recordings that cannot be used as they are.',
    helpGroup: how,
    exclusive: ['record', 'offline'],
  }),
  offline: Flags.boolean({
    description: 'Answer calls from recordings only; any other request fails.',
    helpGroup: how,
    exclusive: ['record', 'replay'],
  }),
  param: Flags.string({
    description:
      'Set a param of the evaluations; several values make a run of each: model=large,swift.',
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: how,
    helpValue: 'NAME=VALUE',
    exclusive: ['rerun', 'resume', 'regrade'],
  }),
  'run-config': Flags.string({
    description:
      'Run config of the settings file; several make a run of each. With --rerun, another one starts a new run.',
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: how,
    helpValue: 'NAME',
  }),
  variants: Flags.string({
    description: 'Make a run of each variant in a YAML list of { name, params, run_config }.',
    helpGroup: how,
    helpValue: 'FILE',
    exclusive: ['param', 'run-config', 'rerun', 'resume', 'regrade'],
  }),
  base: Flags.string({
    description: 'The variant with which the others are compared. Default: the first.',
    helpGroup: how,
    helpValue: 'NAME',
    exclusive: ['rerun', 'resume', 'regrade'],
  }),
  session: Flags.string({ description: 'Session of the run.', helpGroup: how, helpValue: 'NAME' }),
  'run-name': Flags.string({ description: 'Name of the run.', helpGroup: how, helpValue: 'NAME' }),
  verbose: Flags.boolean({
    description: verbose.description,
    helpGroup: how,
    allowNo: true,
  }),
  rerun: Flags.string({
    description: 'Run a saved run again, in place, with the current code and cases.',
    helpGroup: saved,
    helpValue: 'RUN',
    exclusive: ['resume', 'regrade', ...newRunOnly],
  }),
  resume: Flags.string({
    description: 'Run the unfinished results.',
    helpGroup: saved,
    helpValue: 'RUN',
    exclusive: ['rerun', 'regrade', 'only', 'run-config', ...newRunOnly],
  }),
  regrade: Flags.string({
    description: 'Grade stored outputs again; targets are not called.',
    helpGroup: saved,
    helpValue: 'RUN',
    exclusive: ['rerun', 'resume', 'run-config', ...newRunOnly],
  }),
  'regrade-inexact': Flags.boolean({
    description:
      'With --regrade, also grade outputs that are not stored as the target returned them.',
    helpGroup: saved,
    dependsOn: ['regrade'],
  }),
  only: Flags.option({
    description: 'Only rows in one of these states.',
    options: [...rowKinds, 'changed'] as const,
    relationships: [{ type: 'some', flags: ['rerun', 'regrade'] }],
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    helpGroup: saved,
  })(),
  prune: Flags.boolean({
    description: 'Exclude results whose evaluation no longer exists from rates and gates.',
    helpGroup: saved,
    dependsOn: ['rerun'],
  }),
  'no-save': Flags.boolean({ description: 'Do not save the run.', helpGroup: outcome }),
  output: Flags.string({
    char: 'o',
    description: 'Also write the results to a file: .json, .csv, .md or .otlp.jsonl; - for stdout.',
    helpGroup: outcome,
    helpValue: 'FILE',
  }),
  ...gateFlags,
  'results-dir': resultsDirFlag,
};

/** Parsed flags of `assay run`. */
export type RunFlags = Readonly<Interfaces.InferredFlags<typeof runFlags>>;

/** The name of the flag for a setting. */
function flagOf(key: SettingKey): string {
  return key.replaceAll('_', '-');
}

export function settingsOf(flags: RunFlags): SettingOverrides {
  const given: Readonly<Record<string, unknown>> = flags;
  const named = Object.fromEntries(settingKeys.map((key) => [key, given[flagOf(key)]]));
  return { ...named, recordings: recordingsFlag(flags) };
}

/** The setting `recordings` as flags give it. */
export function recordingsFlag(flags: RunFlags): RecordingMode | undefined {
  return recordingModes.find((mode) => mode !== 'off' && flags[mode]);
}

/** The inspector that flags ask for. */
export function inspectingOf(flags: RunFlags): Inspecting | undefined {
  const place = flags['inspect-brk'] ?? flags.inspect;
  return place && { ...place, stops: flags['inspect-brk'] !== undefined };
}

/** Flags that may have a value, or none, and what the parser of flags knows instead. */
const withOptionalValue: ReadonlyMap<string, string> = new Map([
  ['--record=all', '--record-all'],
  ['--inspect', `--inspect=${usualInspector}`],
  ['--inspect-brk', `--inspect-brk=${usualInspector}`],
]);

/** Arguments as the parser of flags knows them: a value of these flags only follows a `=`. */
export function withFlagValues(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((one, at) =>
    end === -1 || at < end ? (withOptionalValue.get(one) ?? one) : one,
  );
}
