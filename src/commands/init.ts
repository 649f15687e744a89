import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Flags } from '@oclif/core';
import { asTyped } from '../cli/as-typed.js';
import { BaseCommand } from '../cli/base-command.js';
import { type InitFile, planInit } from '../cli/init/init-project.js';
import {
  nextCommands,
  type TranslatedJson,
  translationJson,
  translationLines,
} from '../cli/init/translation-text.js';
import { toOutputError } from '../cli/output.js';
import { writeToFile } from '../cli/output-file.js';
import { agree } from '../cli/terminal/confirm.js';

/** Answer of `assay init --json`. */
export interface InitJson {
  /** Files that were written or added to; empty when there was nothing to do, or nobody agreed. */
  readonly written: readonly string[];
  /** What was there already. */
  readonly left: readonly string[];
  /** Commands to go on with. */
  readonly next: readonly string[];
  /** What became of the files of `--from`, one for each; absent without the flag. */
  readonly translated?: readonly TranslatedJson[];
}

export default class Init extends BaseCommand {
  static override summary =
    'Write a first evaluation, settings and a script, and say how to go on.';
  static override description =
    'The evaluation uses the client of models that package.json names, and runs without a key, too. Nothing that is there is overwritten. With --from, it writes evaluations of promptfoo or evalite as eval files, each beside its original; what has no translation stays in comments, and its results are errors.';
  static override examples = [
    '<%= config.bin %> init',
    '<%= config.bin %> init --yes',
    '<%= config.bin %> init --from promptfooconfig.yaml',
    '<%= config.bin %> init --from evals/*.eval.ts',
  ];
  static override flags = {
    from: Flags.string({
      multiple: true,
      helpValue: 'FILE',
      description:
        'Translate these files: YAML of promptfoo, or eval files of evalite. Paths and globs.',
    }),
    yes: Flags.boolean({
      char: 'y',
      description: 'Do not ask. Without a terminal, nobody is asked.',
    }),
  };

  async run(): Promise<InitJson> {
    const { flags } = await this.parse(Init);
    const plan = await planInit(process.cwd(), flags.from);
    const { files, left, key } = plan;
    const next = nextCommands(plan);
    const translated = flags.from && { translated: plan.translations.map(translationJson) };
    for (const one of plan.translations) {
      for (const line of translationLines(one)) this.logToStderr(`  ${line}`);
    }
    for (const one of left) this.logToStderr(`  ${one}: it stays as it is`);
    if (files.length === 0) {
      this.log(`There is nothing to do. Run the evaluations: ${asTyped('assay run')}`);
      return { written: [], left, next, ...translated };
    }
    for (const { path, adds } of files) this.logToStderr(`  ${path}${adds ? `: add ${adds}` : ''}`);
    const isAsked = !flags.yes && !this.jsonEnabled();
    if (isAsked && !(await agree(`Write ${files.length === 1 ? 'it' : 'them'}?`))) {
      this.log('Nothing was written.');
      return { written: [], left, next, ...translated };
    }
    for (const file of files) await writeIn(process.cwd(), file);
    const written = files.map(({ path }) => path);
    this.log(`Written: ${written.join(', ')}.`);
    this.log(`Next: ${next.join(' && ')}`);
    if (key !== undefined && process.env[key] === undefined) {
      this.log(`Without ${key}, the first evaluation has canned answers.`);
    }
    return { written, left, next, ...translated };
  }
}

async function writeIn(folder: string, { path, text }: InitFile): Promise<void> {
  const target = join(folder, path);
  try {
    await mkdir(dirname(target), { recursive: true });
  } catch (error) {
    throw toOutputError(error, dirname(target));
  }
  await writeToFile(target, once(text));
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
