import { asTyped } from '../../cli/as-typed.js';
import { listRecordings } from '../../cli/recordings/list-recordings.js';
import {
  type RecordedEvaluation,
  renderBytes,
  renderRecordings,
} from '../../cli/recordings/recordings-table.js';
import { StoreCommand } from '../../cli/store-command.js';
import { streamWidth } from '../../cli/terminal/stream-width.js';
import { countOf } from '../../text/count-text.js';
import { shownPath } from '../../text/file-path.js';

/** Answer of `assay recordings --json`. */
export interface RecordingsJson {
  /** Absolute path. */
  readonly folder: string;
  readonly evaluations: readonly RecordedEvaluation[];
}

export default class Recordings extends StoreCommand {
  static override summary = 'List the recorded calls by evaluation.';
  static override examples = [
    '<%= config.bin %> recordings',
    `<%= config.bin %> recordings --json | jq '.evaluations[].exchanges'`,
  ];

  async run(): Promise<RecordingsJson> {
    const { flags } = await this.parse(Recordings);
    const { store, settings } = await this.openProject(flags);
    const { folder, damaged, evaluations } = await listRecordings(store, settings);
    this.noteProblems(damaged.map(({ problem }) => `${problem}.`));
    const shown = shownPath(process.cwd(), folder);
    if (evaluations.length === 0) {
      this.logToStderr(`No recordings in ${shown} yet. Make some: ${this.config.bin} run --record`);
    } else {
      this.log(
        renderRecordings(evaluations, { width: streamWidth(process.stdout), now: Date.now() }),
      );
      this.logToStderr(totalText(evaluations, shown));
    }
    return { folder, evaluations };
  }
}

function totalText(evaluations: readonly RecordedEvaluation[], folder: string): string {
  const sum = (read: (one: RecordedEvaluation) => number) =>
    evaluations.reduce((total, one) => total + read(one), 0);
  const unused = sum((one) => one.unused);
  return [
    countOf(evaluations.length, 'evaluation'),
    countOf(
      sum(({ exchanges }) => exchanges),
      'exchange',
    ),
    `${renderBytes(sum(({ size }) => size))} in ${folder}`,
    ...(unused > 0 ? [asTyped(`${unused} unused: assay recordings prune --unused-by latest`)] : []),
  ].join(' · ');
}
