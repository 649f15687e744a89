import { isText, recordOf } from '../model/shapes.js';
import type { FinishedResult } from '../runner/events.js';

/** What results depend on in the machine that runs them, beside code, packages and files. */
export type Machine = Readonly<Record<string, string>>;

/** True for a {@link Machine}. */
export const isMachine = recordOf(isText);

const ofLanguage = ['LC_ALL', 'LC_MESSAGES', 'LC_TIME', 'LC_NUMERIC', 'LC_COLLATE', 'LANG'];

/** This machine, for evaluations with an environment. */
export function machineOf(env: NodeJS.ProcessEnv): Machine {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  return {
    'version of Node': process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    'time zone': `${timeZone} ${env.TZ ?? ''}`,
    language: [locale, ...ofLanguage.map((name) => env[name] ?? '')].join(' '),
    NODE_OPTIONS: env.NODE_OPTIONS ?? '',
  };
}

const preloading = /(?:^|\s)(?:--import|--require|-r|--loader|--experimental-loader)(?:=|\s)/;

/** Why results of another machine cannot be carried over as those of this one; `undefined` if they can. */
export function whyOther(own: Machine, other: Machine | undefined): string | undefined {
  if (other === undefined) return 'ran on a worker that has not said what it is';
  const names = [...new Set([...Object.keys(own), ...Object.keys(other)])];
  const differing = names.filter((name) => own[name] !== other[name]);
  if (differing.length > 0) return `ran on a worker with another ${differing.join(', ')}`;
  // The modules themselves are not compared.
  return preloading.test(own.NODE_OPTIONS ?? '')
    ? 'ran on a worker that preloads modules'
    : undefined;
}

/** True if two versions of Node have the same major. */
export function isSameMajor(a: string, b: string): boolean {
  return a.split('.', 1)[0] === b.split('.', 1)[0];
}

/** A result whose error names the files of another checkout: with the same frames in this one. */
export function withFilesIn(
  cwd: string,
  other: string | undefined,
  result: FinishedResult,
): FinishedResult {
  const { error } = result.outcome;
  if (error === null || other === undefined || cwd === other) return result;
  const here = error.replace(/^\s+at .*$/gm, (frame) =>
    frame.replace(`${other}/`, () => `${cwd}/`),
  );
  return { ...result, outcome: { ...result.outcome, error: here } };
}
