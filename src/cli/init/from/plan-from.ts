import { dirname, extname, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { relativePath, shownPath, slashed } from '../../../text/file-path.js';
import { translateEvalite } from './evalite/translate.js';
import { readConfig } from './promptfoo/read-config.js';
import { translatePromptfoo } from './promptfoo/translate.js';
import { readSource, sourceError } from './read-source.js';
import type { ProjectFacts, Translation } from './translation.js';

/** A file that is written for one of another tool. */
interface TranslatedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface FromPlan {
  readonly files: readonly TranslatedFile[];
  readonly translations: readonly (Translation & { readonly to: string })[];
}

/**
 * Translates configurations of promptfoo and evaluations of evalite, each beside its original. Changes nothing. `given`: paths and
 * globs. Error: `bad-request` for what cannot be read or is neither.
 */
export function planFrom(folder: string, given: readonly string[], facts: ProjectFacts): FromPlan {
  const files: TranslatedFile[] = [];
  const paths = new Set(given.flatMap((one) => matching(folder, one)));
  const translations = [...paths].map((path) => {
    const absolute = resolve(folder, path);
    const translation = translate(folder, path, facts);
    const own = translation.files.map((file) => ({
      path: relativePath(folder, join(dirname(absolute), file.path)),
      text: file.text,
    }));
    files.push(...own);
    return { ...translation, to: own[0]?.path ?? '' };
  });
  return { files, translations };
}

/** The files of a path or a glob. */
function matching(folder: string, given: string): string[] {
  if (given.trim() === '') throw sourceError('The name of a file to translate is empty.');
  if (!/[*?[{]/.test(given)) return [given];
  const ignore = ['**/node_modules/**', '**/*.assay.eval.*'];
  const found = globSync([slashed(given)], { cwd: folder, ignore }).sort();
  if (found.length === 0) throw sourceError(`${given} matches no file.`);
  return found.map((path) => shownPath(folder, resolve(folder, path)));
}

const code = /\.[cm]?[jt]sx?$/;

function translate(folder: string, path: string, facts: ProjectFacts): Translation {
  if (/\.(ya?ml|json)$/i.test(path)) {
    return translatePromptfoo(readConfig(folder, path, resolve(folder, path)), facts);
  }
  const text = readSource(folder, path);
  if (/(^|[\\/])promptfooconfig\.[^\\/]*$/.test(path)) {
    throw sourceError(`${path} is a configuration of promptfoo in code: write it as YAML first.`);
  }
  if (!code.test(path)) {
    const kind = extname(path) === '' ? 'it has no ending' : `its ending is ${extname(path)}`;
    throw sourceError(`${path} is neither YAML of promptfoo nor an eval file of evalite: ${kind}.`);
  }
  return translateEvalite(path, text);
}
