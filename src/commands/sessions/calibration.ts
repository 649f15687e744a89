import { Args, Flags } from '@oclif/core';
import { asTyped } from '../../cli/as-typed.js';
import { referenceSessionFlag, runDescription } from '../../cli/flags.js';
import { checkOutputFile, writeToFile } from '../../cli/output-file.js';
import { renderCalibrations, renderDisagreements } from '../../cli/sessions/calibration-report.js';
import { openSavedRun } from '../../cli/sessions/gate-run.js';
import { StoreCommand } from '../../cli/store-command.js';
import { streamWidth } from '../../cli/terminal/stream-width.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { calibrateRun, type RunCalibration } from '../../compare/calibrate-run.js';
import { AssayError } from '../../errors.js';
import { leftOutOf, renderCalibration } from '../../model/calibration/calibration-file.js';

export default class SessionsCalibration extends StoreCommand {
  static override summary =
    'Say how far the judges of a run can be trusted, by the labels of people.';
  static override description =
    'For each score that people labelled: how often the judge passes what they passed (TPR) and fails what they failed (TNR), agreement beyond chance, and the pass rate corrected for its mistakes. Only results that were drawn at random count.';
  static override examples = [
    '<%= config.bin %> sessions calibration latest',
    '<%= config.bin %> sessions calibration brisk-otter --disagreements',
    '<%= config.bin %> sessions calibration brisk-otter -o evals/calibration.json',
  ];
  static override args = {
    run: Args.string({ description: `${runDescription} Default: latest.`, default: 'latest' }),
  };
  static override flags = {
    disagreements: Flags.boolean({
      description: 'Also list the results on which people and judge disagree.',
    }),
    output: Flags.string({
      char: 'o',
      description: 'Write what run --corrected needs to this file.',
      helpValue: 'FILE',
    }),
    session: referenceSessionFlag,
  };

  async run(): Promise<RunCalibration> {
    const { args, flags } = await this.parse(SessionsCalibration);
    if (flags.output !== undefined) await checkOutputFile(flags.output);
    const { store, settings } = await this.openProject(flags);
    const { run, close } = await openSavedRun({
      ...{ store, reference: args.run, flags },
      cwd: process.cwd(),
    });
    try {
      this.noteProblems(run.problems);
      const calibration = calibrateRun(run, settings.rubrics);
      if (flags.output !== undefined) {
        for (const text of await writeCalibration(flags.output, calibration)) {
          this.note(escapeTerminal(text));
        }
      }
      this.log(this.#text(calibration, args.run, flags.disagreements));
      return calibration;
    } finally {
      await close();
    }
  }

  #text(calibration: RunCalibration, reference: string, isLong: boolean): string {
    const { judges, disagreements, run_name } = calibration;
    if (judges.length === 0) {
      return `  ${escapeTerminal(run_name)} has no labels: ${escapeTerminal(asTyped(`assay review ${reference}`))}`;
    }
    const width = streamWidth(process.stdout);
    const table = renderCalibrations(calibration, { run: reference, width });
    if (!isLong) return table;
    const list =
      disagreements.length === 0
        ? '  People and judges disagree on no result.'
        : renderDisagreements(calibration, width);
    return `${table}\n\n${list}`;
  }
}

/** Gives what is left out, and why. Errors: `nothing-selected` if all is; those of `writeToFile`. */
async function writeCalibration(
  file: string,
  { run_id, run_name, judges }: RunCalibration,
): Promise<string[]> {
  const leftOut = leftOutOf(judges);
  if (leftOut.length === new Set(judges.map(({ key }) => key)).size) {
    const why = leftOut.length === 0 ? 'it has no labels' : leftOut.join('; ');
    throw new AssayError('nothing-selected', `No judge of ${run_name} has enough labels: ${why}.`, {
      hints: ['assay sessions calibration says what is missing.'],
    });
  }
  const text = renderCalibration({ run_id, run_name, at: new Date().toISOString() }, judges);
  await writeToFile(file, pieces(text));
  return leftOut.map((one) => `Not in ${file}: ${one}.`);
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
