import { createReadStream, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { AssayError } from '../errors.js';
import { packageRoot, readVersion } from '../package-root.js';

/** The files of a saved run. */
export interface RunFiles {
  readonly header: { readonly run_name: string; readonly created_at_ms: number };
  /** Absolute path. */
  readonly folder: string;
  /** The log, and how many bytes of it have been read. */
  readonly log: { readonly path: string; readonly position: number };
}

/** What a report opens with. */
export interface ReportPage {
  /** The run of the dashboard. */
  readonly run: string;
  /** A page of the web UI, such as `/compare?run=…`. */
  readonly page: string;
}

/**
 * Renders runs as one HTML file that needs no network: the web UI, and the results as a compressed text that it reads as the
 * server reads its files. Nothing in it can be changed. Error: `usage` where the web UI was not built.
 */
export async function* renderReport(
  runs: readonly RunFiles[],
  { run, page }: ReportPage,
): AsyncGenerator<string> {
  const [head = '', foot] = readShell().split('<!--runs-->');
  if (foot === undefined) throw new Error('the page of reports has no place for runs');
  const about = { run, page, why: readOnlyText(runs), version: readVersion() };
  yield head;
  yield `<script type="application/json" id="about">${escapeScript(JSON.stringify(about))}</script>\n`;
  for (const one of runs) {
    const folder = `${basename(dirname(one.folder))}/${basename(one.folder)}`;
    yield `<script type="text/plain" data-file="${escapeAttribute(`${folder}/results.jsonl`)}">`;
    yield* packed(one);
    yield '</script>\n';
  }
  yield foot;
}

function readShell(): string {
  try {
    return readFileSync(new URL('dist/report/index.html', packageRoot), 'utf8');
  } catch (error) {
    throw new AssayError('usage', 'The page of reports is not part of this installation.', {
      cause: error,
      hints: ['Build it: npm run build:ui'],
    });
  }
}

/** `Saved copy of brisk-otter, 2026-11-20 17:51 UTC. Read only.` */
function readOnlyText(runs: readonly RunFiles[]): string {
  const [first] = runs;
  if (first === undefined) return '';
  const { run_name, created_at_ms } = first.header;
  const what = runs.length === 1 ? run_name : `${runs.length} runs`;
  const at = new Date(created_at_ms).toISOString().slice(0, 16).replace('T', ' ');
  return `Saved copy of ${what}, ${at} UTC. Read only.`;
}

/** The log of a run, gzip as base64. */
async function* packed(run: RunFiles): AsyncGenerator<string> {
  const compressed = Readable.from(lines(run)).pipe(createGzip({ level: 9 }));
  let rest = Buffer.alloc(0);
  for await (const piece of compressed) {
    const bytes = Buffer.concat([rest, piece as Buffer]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield bytes.toString('base64', 0, whole);
  }
  yield rest.toString('base64');
}

/** Its lines, without those about code and files of the project, which nothing in a report asks for. */
async function* lines({ log }: RunFiles): AsyncGenerator<string> {
  if (log.position === 0) return;
  const input = createReadStream(log.path, { end: log.position - 1 });
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!/^\{"type":"(?:code|reads)"/.test(line)) yield `${line}\n`;
  }
}

/** JSON that does not end the element it is in. */
function escapeScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
