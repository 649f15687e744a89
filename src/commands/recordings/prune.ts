import { Flags } from '@oclif/core';
import { referenceSessionFlag, yesFlag } from '../../cli/flags.js';
import { readRecordingUse } from '../../cli/recordings/recording-use.js';
import { StoreCommand } from '../../cli/store-command.js';
import { confirm } from '../../cli/terminal/confirm.js';
import { countOf } from '../../cli/terminal/figures.js';
import { AssayError } from '../../errors.js';
import type { RecordedExchange } from '../../recordings/recording.js';
import { keepExchanges, readRecordings } from '../../recordings/stored-recordings.js';

/** Answer of `assay recordings prune --json`. */
export interface PrunedRecordingsJson {
  /** False if the user did not confirm. */
  readonly ok: boolean;
  /** Exchanges that were, or would have been, removed. */
  readonly exchanges: number;
}

export class RecordingsPrune extends StoreCommand {
  static override summary = 'Remove recorded calls that are unused or old.';
  static override description =
    'With both conditions, both must hold. Asks for confirmation; without a terminal, --yes is required.';
  static override examples = [
    '<%= config.bin %> recordings prune --unused-by latest',
    '<%= config.bin %> recordings prune --older-than 30d --yes',
  ];
  static override flags = {
    'unused-by': Flags.string({
      description: 'Calls that this run has neither used nor recorded.',
      helpValue: 'RUN',
    }),
    'older-than': Flags.custom<number>({
      description: 'Calls that were recorded longer ago, such as 30d or 12h.',
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
    const { recordings, problems } = readRecordings(folder);
    this.noteProblems(problems);
    const use =
      reference === undefined
        ? undefined
        : await readRecordingUse(await this.openResults(flags), reference, session);
    const before = age === undefined ? undefined : Date.now() - age;
    const isKept = (path: string) => (exchange: RecordedExchange) =>
      use?.has(path, exchange.name) === true ||
      (before !== undefined && !isOlder(exchange, before));
    const exchanges = recordings.reduce((count, { path, recording }) => {
      const kept = recording.exchanges.filter(isKept(path));
      return count + recording.exchanges.length - kept.length;
    }, 0);
    const what = countOf(exchanges, 'exchange');
    if (exchanges === 0) {
      this.logToStderr('There is nothing to remove.');
      return { ok: true, exchanges };
    }
    if (!yes && !(await confirm(`Remove ${what} from ${folder}?`))) {
      this.logToStderr('Nothing was removed.');
      return { ok: false, exchanges };
    }
    for (const one of recordings) keepExchanges(folder, one, isKept(one.path));
    this.log(`${what} removed`);
    return { ok: true, exchanges };
  }
}

/** What does not say when it was recorded is not known to be old. */
function isOlder({ recorded_at }: RecordedExchange, before: number): boolean {
  return recorded_at !== undefined && Date.parse(recorded_at) < before;
}

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
