import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { openStore } from '../../src/store/store.js';
import { type Project, ProjectWithoutHosts } from '../helpers/project.js';
import { ServedProject } from '../helpers/served-project.js';
import { finishedRun } from '../store/builders.js';
import { changesBetween, folderState } from './folder-state.js';
import { expectPlainWords } from './plain-words.js';
import { makeRuns, runId } from './saved-runs.js';

/** One way in which a stored run can be damaged or strange, and what must come of it. */
interface StoredRow {
  readonly what: string;
  /** Does it to a run folder. */
  readonly damage: (folder: string) => unknown;
  /** What the export says beside the document; with `refused` instead of it. `<run>` is the folder. */
  readonly says?: readonly string[];
  readonly refused?: true;
  /** How many of its two results are read. Default 2. */
  readonly results?: number;
  /** What the listing says. Default: nothing. */
  readonly listing?: readonly string[];
  /** What the listing makes of the folder. Default: `run.json` is made anew, or nothing. */
  readonly changes?: readonly string[];
}

const noRun = ['There is no run "3f9a0c12be77".', 'Did you mean 3f9a0c12be78?'];
const isRestored = ['+ run.json.broken', '* run.json'];
const wasDamaged = '<run>/run.json was damaged and is now <run>/run.json.broken.';
const gone = (why: string): Pick<StoredRow, 'refused' | 'says' | 'listing' | 'changes'> => ({
  refused: true,
  says: [`<run> cannot be read: ${why}.`],
  listing: [`<run> cannot be read: ${why}. It was set aside as <run>.broken.`],
  changes: ['- ', '+ .broken'],
});

const documents: readonly StoredRow[] = [
  ...(
    [
      ['is empty', ''],
      ['breaks off', '{"format": 1, "run_id": "3f9a'],
      ['is a list', '[]'],
      ['is nested without end', `{"selection":${'['.repeat(50_000)}`],
      ['is of binary zeros', '\0'.repeat(5000)],
    ] as const
  ).map(([what, text]) => ({
    what: `run.json ${what}`,
    damage: write('run.json', text),
    listing: [wasDamaged],
    changes: isRestored,
  })),
  ...(
    [
      ['a count that is text', { total_evaluations: 'two' }],
      ['a format that is text', { format: '1' }],
      ['a time that is none', { created_at_ms: 'now' }],
      ['a state that is none', { state: 'exploded' }],
      ['chips that are none', { score_chips: [{ key: 1 }] }],
    ] as const
  ).map(([what, fields]) => ({
    what: `run.json has ${what}`,
    damage: rewrite('run.json', (text) => JSON.stringify({ ...JSON.parse(text), ...fields })),
    listing: [wasDamaged],
    changes: isRestored,
  })),
  { what: 'run.json is missing', damage: remove('run.json'), changes: ['+ run.json'] },
  { what: 'run.json is a pipe', damage: replace('run.json', makePipe), changes: ['* run.json'] },
  {
    what: 'run.json is a link to itself',
    damage: replace('run.json', (path) => symlinkSync(path, path)),
    changes: ['* run.json'],
  },
  {
    what: 'run.json is a folder',
    damage: replace('run.json', (path) => mkdirSync(path)),
    listing: [wasDamaged],
    changes: isRestored,
  },
  {
    what: 'run.json is a gigabyte of nothing',
    damage: (folder) => truncateSync(join(folder, 'run.json'), 1024 ** 3),
    changes: ['* run.json'],
  },
  {
    what: 'run.json names another run',
    damage: rewrite('run.json', namingAnother),
  },
];

const logs: readonly StoredRow[] = [
  {
    what: 'the log is missing',
    damage: remove('results.jsonl'),
    ...gone('it has no results.jsonl'),
  },
  ...(
    [
      ['a folder', (path: string) => mkdirSync(path)],
      ['a pipe', makePipe],
      ['a link to itself', (path: string) => symlinkSync(path, path)],
      ['a link to a log', (path: string) => symlinkSync('../3f9a0c12be78/results.jsonl', path)],
    ] as const
  ).map(([what, put]) => ({
    what: `the log is ${what}`,
    damage: replace('results.jsonl', put),
    ...gone('its results.jsonl is no regular file'),
  })),
  {
    what: 'the log is empty',
    damage: write('results.jsonl', ''),
    results: 0,
    changes: ['* run.json'],
  },
  ...(
    [
      ['bytes that are no text', Buffer.alloc(5000, 0xff)],
      ['zeros', Buffer.alloc(5000)],
    ] as const
  ).map(([what, bytes]) => ({
    what: `the log is nothing but ${what}`,
    damage: write('results.jsonl', bytes),
    says: ['The last line of <run>/results.jsonl is incomplete (5000 bytes) and was left out.'],
    results: 0,
    changes: ['* run.json'],
  })),
  {
    what: 'the log has lines of others',
    damage: (folder) =>
      appendFileSync(
        join(folder, 'results.jsonl'),
        '{"hello":1}\nno json\n[1]\n"x"\nnull\n{"type":"finished","index":"x"}\n{"type":"edited","index":99}\n',
      ),
    says: [
      '7 lines of <run>/results.jsonl cannot be read and were left out, the first at byte <n>.',
    ],
    changes: ['* run.json'],
  },
  {
    what: 'the log begins with a byte order mark',
    damage: rewrite('results.jsonl', (text) => `\ufeff${text}`),
    changes: ['* run.json'],
  },
  {
    what: 'the log has line ends of Windows',
    damage: rewrite('results.jsonl', (text) => text.replaceAll('\n', '\r\n')),
    changes: ['* run.json'],
  },
  {
    what: 'the log has an output that is nested without end',
    damage: rewrite('results.jsonl', (text) =>
      text.replace('"out 0"', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
    ),
    says: ['1 line of <run>/results.jsonl cannot be read and was left out, at byte <n>.'],
    changes: ['* run.json'],
  },
  {
    what: 'the log names another run',
    damage: rewrite('results.jsonl', namingAnother),
  },
  {
    what: 'the log has a name that moves the cursor',
    damage: rewrite('results.jsonl', (text) =>
      text.replaceAll('"brisk-otter"', '"a\\u001b[2Jb\\n::error::c\\u202e"'),
    ),
    changes: ['* run.json'],
  },
  {
    what: 'the log is of a newer version',
    damage: rewrite('results.jsonl', (text) => text.replace('"format":1', '"format":99')),
    says: [
      '<run> was written by a newer assay (format 99, this one knows 1): it can be read, not changed.',
    ],
  },
];

const folders: readonly StoredRow[] = [
  {
    what: 'the run folder is a file',
    damage: (folder) => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, 'x');
    },
    refused: true,
    says: noRun,
  },
  {
    what: 'the run folder is a link',
    damage: (folder) => {
      renameSync(folder, join(folder, '../../../../elsewhere'));
      symlinkSync(join(folder, '../../../../elsewhere'), folder);
    },
    refused: true,
    says: noRun,
  },
  {
    what: 'the run folder is empty',
    damage: (folder) => {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
    },
    refused: true,
    says: noRun,
  },
  {
    what: 'the run folder is in capitals',
    damage: (folder) => renameSync(folder, join(dirname(folder), '3F9A0C12BE77')),
    refused: true,
    says: noRun,
  },
  {
    what: 'another folder has the same id',
    damage: (folder) => cpSync(folder, join(folder, '../../other', runId), { recursive: true }),
    listing: ['<root>/other/3f9a0c12be77 is left out: <run> has the same run id.'],
  },
  { what: 'the lock is of no known form', damage: write('lock', '???') },
  { what: 'the lock is a folder', damage: (folder) => mkdirSync(join(folder, 'lock')) },
  {
    what: 'a session folder is a link to itself',
    damage: (folder) => symlinkSync('loop', join(folder, '../../loop')),
  },
  {
    what: 'a file lies among the sessions',
    damage: (folder) => writeFileSync(join(folder, '../../stray'), 'x'),
  },
];

const rows = [...documents, ...logs, ...folders];

describe('bad input: stored runs', () => {
  for (const row of rows) {
    it(`when ${row.what}, what can be read is, the rest is set aside, and the neighbour is untouched`, () =>
      tryStored(row));
  }

  it('a rerun of one whose log is no file is refused, and changes nothing', async () => {
    for (const { what, damage } of logs.filter((row) => row.refused)) {
      const project = new ProjectWithoutHosts();
      await makeRuns(project);
      damage(project.path(`.assay/sessions/default/${runId}`));
      const before = folderState(project.folder);
      const { code, stderr } = await project.assay(['run', '--rerun', runId]);
      expect(stderr, what).to.match(/^✗ .* cannot be read: .*\n$/);
      expect(code).to.equal(2);
      expect(changesBetween(before, folderState(project.folder)), what).to.deep.equal([]);
    }
  });

  it('none of it keeps a server from starting, listing and answering', async () => {
    const project = new ProjectWithoutHosts();
    const store = await openStore(project.path('.assay/sessions'));
    const ids = rows.map((_, at) => at.toString(16).padStart(12, '0'));
    for (const run_id of ids) await finishedRun(store, 2, { run_id, session_name: `s${run_id}` });
    for (const [at, { damage }] of rows.entries()) {
      // What is done to the folders around a run is done once.
      if (!folders.includes(rows[at] as StoredRow)) {
        damage(join(store.root, `s${ids[at]}`, ids[at] ?? ''));
      }
    }
    await makeRuns(project);
    const served = await ServedProject.start(project);
    for (const [at, run_id] of ids.entries()) {
      const { status, text } = await served.get(`/api/runs/${run_id}/data`);
      const wanted = rows[at]?.refused && !folders.includes(rows[at] as StoredRow) ? 404 : 200;
      expect(status, `${rows[at]?.what}: ${text.slice(0, 300)}`).to.equal(wanted);
    }
    const { body } = await served.get('/api/sessions/default/runs');
    expect(body.runs).to.have.lengthOf(2);
  });
});

let neighbour: object | undefined;

/** What `calm-heron` is exported as, but for the time at which it was written. */
async function exportNeighbour(project: Project): Promise<object> {
  const { code, stdout, stderr } = await project.assay(['export', '3f9a0c12be78']);
  return { code, stderr, stdout: stdout.replace(/"updated_at": \d+/, '"updated_at": 0') };
}

async function tryStored(row: StoredRow): Promise<void> {
  const project = new ProjectWithoutHosts();
  await makeRuns(project);
  // The same in each project before anything is damaged.
  neighbour ??= await exportNeighbour(project);
  const folder = project.path(`.assay/sessions/default/${runId}`);
  row.damage(folder);
  const before = folderState(project.folder);
  await expectExport(row, project);
  expect(changesBetween(before, folderState(project.folder)), 'reading').to.deep.equal([]);
  await expectListing(row, project);
  expect(await exportNeighbour(project)).to.deep.equal(neighbour);
  const inside = new RegExp(`/${runId}\\.broken/|^- .*/${runId}/`);
  const changes = changesBetween(before, folderState(project.folder));
  expect(changes.filter((one) => !inside.test(one))).to.have.members(
    (row.changes ?? []).map(inFolder),
  );
}

async function expectExport(row: StoredRow, project: Project): Promise<void> {
  const { code, stdout, stderr } = await project.assay(['export', runId]);
  expectPlainWords(stderr);
  expect(linesOf(stderr, project)).to.deep.equal(row.says ?? []);
  expect(code).to.equal(row.refused ? 2 : 0);
  if (row.refused) return;
  const { run_id, results } = JSON.parse(stdout);
  expect(run_id).to.equal(runId);
  const read = results.filter((one: { id: string }) => !one.id.startsWith('unreadable::'));
  expect(read).to.have.lengthOf(row.results ?? 2);
}

async function expectListing(row: StoredRow, project: Project): Promise<void> {
  const command = ['sessions', 'show', 'default', '--json'];
  const { stdout, stderr } = await project.assay(command);
  expectPlainWords(stderr);
  expect(linesOf(stderr, project)).to.deep.equal(row.listing ?? []);
  const listed = JSON.parse(stdout).runs.map((run: { run_id: string }) => run.run_id);
  expect(listed).to.deep.equal(row.refused ? ['3f9a0c12be78'] : ['3f9a0c12be78', runId]);
}

function linesOf(stderr: string, project: Project): string[] {
  const root = project.path('.assay/sessions');
  return stderr
    .replaceAll(join(root, 'default', runId), '<run>')
    .replaceAll(root, '<root>')
    .replace(/at byte \d+/g, 'at byte <n>')
    .split('\n')
    .map((line) => line.replace(/^(?:[✗!] | {2})/, ''))
    .filter((line) => line !== '');
}

/** `* run.json` as a path of the project; `+ .broken` as one beside the run folder. */
function inFolder(change: string): string {
  const [how = '', name = ''] = change.split(' ');
  const path = `.assay/sessions/default/${runId}`;
  return `${how} ${name === '' || name === '.broken' ? path + name : `${path}/${name}`}`;
}

function namingAnother(text: string): string {
  return text.replace(/("run_id": ?)"[0-9a-f]{12}"/, '$1"aaaaaaaaaaaa"');
}

function write(name: string, content: string | Buffer): StoredRow['damage'] {
  return (folder) => writeFileSync(join(folder, name), content);
}

function rewrite(name: string, change: (text: string) => string): StoredRow['damage'] {
  return (folder) => {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const changed = change(text);
    if (changed === text) throw new Error(`nothing of ${path} has changed`);
    writeFileSync(path, changed);
  };
}

function remove(name: string): StoredRow['damage'] {
  return (folder) => rmSync(join(folder, name));
}

function replace(name: string, put: (path: string) => unknown): StoredRow['damage'] {
  return (folder) => {
    rmSync(join(folder, name));
    put(join(folder, name));
  };
}

function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}
