import { Flags } from '@oclif/core';
import { referenceSessionFlag, yesFlag } from '../../cli/flags.js';
import {
  type ExchangeUse,
  type RecordingUse,
  readRecordingUse,
} from '../../cli/recordings/recording-use.js';
import { byEvaluation } from '../../cli/recordings/recordings-table.js';
import { StoreCommand } from '../../cli/store-command.js';
import { confirm } from '../../cli/terminal/confirm.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { AssayError } from '../../errors.js';
import {
  readRecordings,
  removeRecording,
  type StoredRecording,
} from '../../recordings/stored-recordings.js';
import { countOf } from '../../text/count-text.js';

/** Answer of `assay recordings prune --json`. */
export interface PrunedRecordingsJson {
  /** False if the user did not confirm. */
  readonly ok: boolean;
  /** Exchanges that were, or would have been, removed. */
  readonly exchanges: number;
  /** Exchanges that the run of `--unused-by` cannot judge: it did not plan them, or has no completed result for them. */
  readonly left_alone: number;
}

export default class RecordingsPrune extends StoreCommand {
  static override summary = 'Remove recorded calls that are unused or old.';
  static override description =
    'With both conditions, both must match. A run judges only recordings of results that it completed. Asks for confirmation; without a terminal, --yes is required.';
  static override examples = [
    '<%= config.bin %> recordings prune --unused-by latest',
    '<%= config.bin %> recordings prune --older-than 30d --yes',
  ];
  static override flags = {
    'unused-by': Flags.string({
      description: 'Calls that this run planned, and completed without using or recording them.',
      helpValue: 'RUN',
    }),
    'older-than': Flags.custom<number>({
      description: 'Calls whose files were written here longer ago than this, such as 30d or 12h.',
      helpValue: 'AGE',
      parse: async (text) => parseAge(text),
    })(),
    session: referenceSessionFlag,
    yes: yesFlag,
  };

  async run(): Promise<PrunedRecordingsJson> {
    const { flags } = await this.parse(RecordingsPrune);
    const { 'unused-by': reference, 'older-than': age, session, yes } = flags;
    if (reference === undefined && age === undefined) {
      throw new AssayError('usage', 'prune needs --unused-by RUN or --older-than AGE.');
    }
    const settings = await this.projectSettings(flags.settings);
    const folder = settings.effective('recordings_dir').value;
    const { recordings, damaged } = readRecordings(folder);
    this.noteProblems(damaged.map(({ problem }) => `${problem}.`));
    const use =
      reference === undefined
        ? undefined
        : await readRecordingUse(await this.openResults(flags), reference, recordings, session);
    const before = age === undefined ? undefined : Date.now() - age;
    const left_alone = use === undefined ? 0 : this.#noteLeftAlone(recordings, use);
    const removed = recordings.filter(
      ({ exchanges: all, writtenAt }) =>
        (use === undefined || all.every((one) => use.of(one) === 'unused')) &&
        (before === undefined || writtenAt < before),
    );
    const exchanges = removed.reduce((sum, one) => sum + one.exchanges.length, 0);
    const what = countOf(exchanges, 'exchange');
    if (exchanges === 0) {
      this.logToStderr('There is nothing to remove.');
      return { ok: true, exchanges, left_alone };
    }
    if (!yes && !(await confirm(`Remove ${what} from ${folder}?`))) {
      this.logToStderr('Nothing was removed.');
      return { ok: false, exchanges, left_alone };
    }
    for (const { path } of removed) removeRecording(folder, path);
    this.log(`${what} removed`);
    return { ok: true, exchanges, left_alone };
  }

  /** Prints and counts the exchanges that the run cannot judge. */
  #noteLeftAlone(recordings: readonly StoredRecording[], use: RecordingUse): number {
    return leftAlone.reduce((total, [reason, why]) => {
      const left = recordings.flatMap(({ exchanges: all, ...file }) => {
        const exchanges = all.filter((one) => use.of(one) === reason);
        return exchanges.length === 0 ? [] : [{ ...file, exchanges }];
      });
      if (left.length === 0) return total;
      const evaluations = byEvaluation(left, undefined);
      const count = evaluations.reduce((sum, { exchanges }) => sum + exchanges, 0);
      const names = evaluations.slice(0, mostNamed).map(({ evaluation }) => evaluation);
      const more = evaluations.length - names.length;
      const which = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
      const text = `${countOf(count, 'exchange')} left alone, which ${use.runName} ${why}: ${which}`;
      this.logToStderr(escapeTerminal(text));
      return total + count;
    }, 0);
  }
}

const mostNamed = 5;

const leftAlone: readonly (readonly [ExchangeUse, why: string])[] = [
  ['not planned', 'did not plan'],
  ['not completed', 'did not complete'],
];

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function parseAge(text: string): number {
  const [, count = '', unit = ''] = /^(\d+)([hdw])$/.exec(text.trim()) ?? [];
  const size = units[unit];
  if (size !== undefined) return Number(count) * size;
  throw new AssayError(
    'usage',
    `--older-than takes an age such as 30d, 12h or 4w, not ${JSON.stringify(text)}.`,
  );
}
