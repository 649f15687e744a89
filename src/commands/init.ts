import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Flags } from '@oclif/core';
import { asTyped } from '../cli/as-typed.js';
import { BaseCommand } from '../cli/base-command.js';
import { type InitFile, planInit } from '../cli/init/init-project.js';
import { writeToFile } from '../cli/output-file.js';
import { agree } from '../cli/terminal/confirm.js';
import { toStorageError } from '../store/storage-error.js';

/** Answer of `assay init --json`. */
export interface InitJson {
  /** Files that were written or added to; empty when there was nothing to do, or nobody agreed. */
  readonly written: readonly string[];
  /** What was there already. */
  readonly left: readonly string[];
  /** Commands to go on with. */
  readonly next: readonly string[];
}

export default class Init extends BaseCommand {
  static override summary =
    'Write a first evaluation, settings and a script, and say how to go on.';
  static override description =
    'The evaluation uses the client of models that package.json names, and runs without a key, too. Nothing that is there is overwritten.';
  static override examples = ['<%= config.bin %> init', '<%= config.bin %> init --yes'];
  static override flags = {
    yes: Flags.boolean({
      char: 'y',
      description: 'Do not ask. Without a terminal, nobody is asked.',
    }),
  };

  async run(): Promise<InitJson> {
    const { flags } = await this.parse(Init);
    const { files, left, key, isInstalled } = await planInit(process.cwd());
    const next = [...(isInstalled ? [] : ['npm install --save-dev assay']), asTyped('assay run')];
    for (const one of left) this.logToStderr(`  ${one}: it stays as it is`);
    if (files.length === 0) {
      this.log(`There is nothing to do. Run the evaluations: ${asTyped('assay run')}`);
      return { written: [], left, next };
    }
    for (const { path, adds } of files) this.logToStderr(`  ${path}${adds ? `: add ${adds}` : ''}`);
    const isAsked = !flags.yes && !this.jsonEnabled();
    if (isAsked && !(await agree(`Write ${files.length === 1 ? 'it' : 'them'}?`))) {
      this.log('Nothing was written.');
      return { written: [], left, next };
    }
    for (const file of files) await writeIn(process.cwd(), file);
    const written = files.map(({ path }) => path);
    this.log(`Written: ${written.join(', ')}.`);
    this.log(`Next: ${next.join(' && ')}`);
    if (key !== undefined && process.env[key] === undefined) {
      this.log(`Without ${key}, the first evaluation has canned answers.`);
    }
    return { written, left, next };
  }
}

async function writeIn(folder: string, { path, text }: InitFile): Promise<void> {
  const target = join(folder, path);
  try {
    await mkdir(dirname(target), { recursive: true });
  } catch (error) {
    throw toStorageError(error, dirname(target));
  }
  await writeToFile(target, once(text));
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
