import { resolve } from 'node:path';
import type { LinkOfCase } from '../../exporters/markdown-text.js';
import { caseIdOf, fileOf } from '../../model/result.js';
import { parseRecord } from '../../store/log/records.js';
import { eventKinds } from '../../store/log/row-event-index.js';
import type { Row } from '../../store/replay/run-index.js';
import type { StoredRun } from '../../store/stored-run.js';
import { isInside, relativePath } from '../../text/file-path.js';
import type { ReporterTools } from './reporter.js';

/** Links to the cases of runs at the commit that GitHub Actions or GitLab CI runs; elsewhere there are none. */
export function caseLinks(
  runs: readonly StoredRun[],
  { cwd, env }: Pick<ReporterTools, 'cwd' | 'env'>,
): LinkOfCase {
  const source = sourceOf(env);
  if (source === undefined) return () => undefined;
  let places: Map<string, { readonly run: StoredRun; readonly index: number }> | undefined;
  return (id) => {
    places ??= placesOf(runs);
    const found = places.get(id);
    const row = found?.run.rows[found.index];
    if (found === undefined || row === undefined) return undefined;
    const root = source.root === '' ? cwd : source.root;
    const place = placeOf(found.run, found.index);
    const file = resolve(cwd, place.file);
    if (!isInside(root, file)) return undefined;
    const { line } = place;
    return `${source.address}/${encodePath(relativePath(root, file))}${line === undefined ? '' : `#L${line}`}`;
  };
}

/** Where a case stands: its row in a case file, or its evaluation. The line, from 1, is `undefined` if unknown. */
export function placeOf(run: StoredRun, index: number): { file: string; line: number | undefined } {
  const { file } = run.log;
  const events = file.events.toReplay(run.rows[index]?.events ?? 0);
  const planned = events.findLast(({ kind }) => kind === eventKinds.planned);
  const ownFile = fileOf(run.rows[index] as Row);
  if (planned === undefined || planned.length === 0) return { file: ownFile, line: undefined };
  const text = file.bytesAt(planned.offset, planned.length).toString('utf8');
  const record = parseRecord(text);
  if (record?.type !== 'planned') return { file: ownFile, line: undefined };
  return { file: record.line_file ?? ownFile, line: record.line };
}

function placesOf(runs: readonly StoredRun[]) {
  const places = new Map<string, { readonly run: StoredRun; readonly index: number }>();
  for (const run of runs) {
    run.rows.forEach((row, index) => {
      const id = caseIdOf(row);
      if (!places.has(id)) places.set(id, { run, index });
    });
  }
  return places;
}

/** The folder of the repository on this machine, and the address of its files at the commit. */
function sourceOf(env: ReporterTools['env']) {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_WORKSPACE = '' } = env;
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY && GITHUB_SHA) {
    const address = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/blob/${GITHUB_SHA}`;
    return asSource(address, GITHUB_WORKSPACE);
  }
  const { CI_PROJECT_URL, CI_COMMIT_SHA, CI_PROJECT_DIR = '' } = env;
  return CI_PROJECT_URL && CI_COMMIT_SHA
    ? asSource(`${CI_PROJECT_URL}/-/blob/${CI_COMMIT_SHA}`, CI_PROJECT_DIR)
    : undefined;
}

function asSource(address: string, root: string) {
  return /^https?:\/\/[^\s()<>]+$/.test(address) ? { address, root } : undefined;
}

/** Parentheses would end the address of a Markdown link. */
function encodePath(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return encoded.replace(/[()]/g, (one) => (one === '(' ? '%28' : '%29'));
}
