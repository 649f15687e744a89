import { randomInt } from 'node:crypto';
import { Args, Flags } from '@oclif/core';
import { parseWholeNumber, runDescription } from '../cli/flags.js';
import { serveCommand } from '../cli/serve/serve-command.js';
import { serveFlags } from '../cli/serve/serve-flags.js';
import { StoreCommand } from '../cli/store-command.js';
import { AssayError } from '../errors.js';
import { drawnOf, isSameKind, type ReviewSample, stratifiedBy } from '../model/labels.js';
import { findStoredRun } from '../store/listing/resolve-reference.js';
import type { StoredRun } from '../store/stored-run.js';
import { countOf } from '../text/count-text.js';

const { port, host, token, 'allowed-host': allowedHost, open, session } = serveFlags;
const usualSize = 60;
const sampleGroup = 'SAMPLE';

function size(name: string, description: string) {
  return Flags.custom<number>({
    description,
    helpGroup: sampleGroup,
    helpValue: 'N',
    parse: parseWholeNumber(name, { min: 1, max: 100_000 }),
  });
}

/** Answer of `assay review --draw --json`. */
export interface DrawnJson {
  readonly run_id: string;
  readonly run_name: string;
  /** All samples of the run. */
  readonly samples: readonly ReviewSample[];
}

export default class Review extends StoreCommand {
  static override summary = 'Label results of a run by hand, blind to what its judges said.';
  static override description =
    `Draws ${usualSize} results at random where there is no sample yet, and serves the page on which they are labelled.`;
  static override examples = [
    '<%= config.bin %> review',
    '<%= config.bin %> review nightly --score correctness --sample 100',
    '<%= config.bin %> review latest --score correctness --by verdict --more 40',
    '<%= config.bin %> review latest --sample 60 --seed 1 --draw',
  ];
  static override args = {
    run: Args.string({ description: runDescription, default: 'latest' }),
  };
  static override flags = {
    score: Flags.string({
      description: 'Label only this score. Default: all of the run.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KEY',
    }),
    sample: size('sample', `Results to draw if none are drawn yet. Default: ${usualSize}.`)(),
    more: size(
      'more',
      'Draw so many results beside those that are drawn.',
    )({
      exclusive: ['sample'],
    }),
    by: Flags.option({
      description:
        'Draw from each dataset in proportion, or as many of each verdict of the score. Default: none.',
      options: stratifiedBy,
      helpGroup: sampleGroup,
    })(),
    seed: Flags.custom<number>({
      description: 'The same seed draws the same. Default: at random.',
      helpGroup: sampleGroup,
      helpValue: 'S',
      parse: parseWholeNumber('seed', { min: 0 }),
    })(),
    draw: Flags.boolean({
      description: 'Only draw the sample, and serve nothing: for labels that are made elsewhere.',
      helpGroup: sampleGroup,
      exclusive: ['port', 'host', 'open'],
    }),
    ...{ session, port, host, token, 'allowed-host': allowedHost, open },
  };

  async run(): Promise<DrawnJson> {
    const { args, flags } = await this.parse(Review);
    const { settings, store } = await this.openProject(flags);
    const where = { cwd: process.cwd(), session: flags.session };
    const runId = await findStoredRun(store, args.run, where);
    const run = await store.openRun(runId);
    try {
      this.noteProblems(run.problems);
      const drawn = await draw(run, flags);
      if (flags.draw) {
        this.log(drawn);
        return { run_id: runId, run_name: run.header.run_name, samples: run.samples() };
      }
      if (drawn !== undefined) this.note(drawn);
    } finally {
      await run.close();
    }
    const keys = (flags.score ?? []).map((key) => `key=${encodeURIComponent(key)}`).join('&');
    const code = await serveCommand({
      paths: [],
      flags: { ...flags, ...noServeFlags, run: runId },
      settings,
      env: { ...process.env },
      addedEnv: this.addedEnv,
      json: this.jsonEnabled(),
      page: `/runs/${runId}/review${keys && `?${keys}`}`,
    });
    return this.exit(code);
  }
}

/** Flags of serve that say nothing of a saved run. */
const noServeFlags = {
  start: false,
  'run-name': undefined,
  'run-config': undefined,
  dataset: undefined,
  label: undefined,
  name: undefined,
  where: undefined,
  // Those of a review are of results.
  sample: undefined,
  seed: undefined,
  redis: undefined,
};

interface DrawFlags {
  readonly score?: readonly string[] | undefined;
  readonly sample?: number | undefined;
  readonly more?: number | undefined;
  readonly by?: (typeof stratifiedBy)[number] | undefined;
  readonly seed?: number | undefined;
  readonly draw: boolean;
}

/** Draws what the flags ask for; says what there is, as a sentence. Errors: `usage`, and those of drawing. */
async function draw(run: StoredRun, flags: DrawFlags): Promise<string | undefined> {
  const { score = [], sample, more, by = 'none', seed = randomInt(2 ** 32) } = flags;
  for (const key of score) refuseUnknown(run, key);
  if (by === 'verdict' && score.length !== 1) {
    throw new AssayError(
      'usage',
      '--by verdict needs one --score KEY, whose verdicts are drawn from.',
    );
  }
  const kind = { by, ...(by === 'verdict' && { key: score[0] }) };
  const before = run.samples().filter((one) => flags.by === undefined || isSameKind(one, kind));
  const there = before.reduce((sum, one) => sum + drawnOf(one).length, 0);
  if (there > 0 && more === undefined) {
    if (sample === undefined && !flags.draw) return undefined;
    return `${countOf(there, 'result')} ${there === 1 ? 'is' : 'are'} drawn already: --more N draws others beside them.`;
  }
  const size = more ?? sample ?? usualSize;
  const { id, strata } = await run.drawSample({ size, seed, ...kind });
  const drawn = drawnOf({ strata }).length;
  const of = strata.reduce((sum, { rows }) => sum + rows, 0);
  return `${countOf(drawn, 'result')} drawn at random of ${of}: sample ${id}.`;
}

function refuseUnknown(run: StoredRun, key: string): void {
  const isScored = run.rows.some(({ scores }) => scores.some((score) => score.key === key));
  const isRated = run.rows.some(({ evaluation }) => run.rubricKeys(evaluation).includes(key));
  if (isScored || isRated) return;
  const known = new Set(run.rows.flatMap(({ scores }) => scores.map((score) => score.key)));
  throw new AssayError('bad-request', `No result has a score ${JSON.stringify(key)}.`, {
    hints: known.size === 0 ? [] : [`Scores: ${[...known].join(', ')}.`],
  });
}
