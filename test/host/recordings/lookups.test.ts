import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { RecordingSource } from '../../../src/recordings/recording.js';
import { folderOfAttempt } from '../../../src/recordings/recording-files.js';
import { readRecordings, tidyRecordings } from '../../../src/recordings/stored-recordings.js';
import { type Asked, type Given, recordingProcess } from '../../helpers/recorded-calls.js';
import { countByAttempt, recordingsIn } from '../../helpers/recordings.js';
import { temporaryFolder } from '../../store/builders.js';

type Mode = Parameters<typeof recordingProcess>[1];

const file = 'a.eval.ts';
const sourceOf = (name: string) => {
  const [, evaluation = '', id = '', trial = '1'] = /^(\w+)\[(.*)\](?:~(\d))?$/.exec(name) ?? [];
  return { file, evaluation, case: id, trial: Number(trial) };
};

/** Texts of answers; in brackets for those that others have recorded, and the whole reason of a refusal. */
function textOf(given: Given): string {
  if ('refused' in given) return given.refused;
  if ('made' in given) return `made ${given.made}`;
  return given.isShared ? `(${given.replayed})` : given.replayed;
}

/** A folder of recordings, and runs that use it. */
class Folder {
  readonly path = temporaryFolder();
  #asked = 0;

  /** One attempt in a process of its own, which asks one thing after the other; answers are counted. */
  attempt(
    mode: Mode,
    name: string,
    asked: readonly Asked[],
    source: RecordingSource = sourceOf(name),
  ) {
    const attempt = recordingProcess(this.path, mode).attempt(source);
    const answers = asked.map((one) => {
      const given = attempt.ask({ answer: `${this.#asked + 1}`, ...one });
      if ('made' in given) this.#asked += 1;
      return textOf(given);
    });
    attempt.end();
    return { answers, warnings: attempt.warnings, lookups: attempt.lookups };
  }

  /** The answers to equal requests. */
  ask(mode: Mode, name: string, count: number, json: unknown = 'equal'): string[] {
    return this.attempt(mode, name, Array(count).fill({ json })).answers;
  }

  get files(): Record<string, string> {
    return recordingsIn(this.path);
  }

  get counts(): Record<string, number> {
    return countByAttempt(this.path);
  }

  /** Changes the only file of an attempt. */
  edit(name: string, change: (text: string) => string): string {
    const [path = '', ...more] = Object.keys(this.files).filter((one) => one.includes(name));
    expect(more).to.deep.equal([]);
    writeFileSync(join(this.path, path), change(readFileSync(join(this.path, path), 'utf8')));
    return path;
  }
}

const hi = { json: 'hi' };

describe('requests of an attempt', () => {
  it('are recorded in a file each, named by what was asked, without times and ids', () => {
    const folder = new Folder();
    expect(folder.attempt('record', 'greet[x]', [hi, { json: 'more' }]).answers).to.deep.equal([
      ...['made 1', 'made 2'],
    ]);
    const [path, text = ''] = Object.entries(folder.files)[0] ?? [];
    expect(path).to.match(/^a\.eval\.ts\/greet\/x~1\/[0-9a-f]{12}-1\.json$/);
    const { request, response, ...fields } = JSON.parse(text);
    expect(fields).to.deep.equal({
      ...{ assay_recording: 2, file, evaluation: 'greet', case: 'x', role: 'target' },
    });
    expect(request).to.have.all.keys('method', 'url', 'body');
    expect(response).to.deep.equal({
      status: 200,
      headers: {},
      body: { json: Number(text.includes('more')) + 1 },
    });
  });

  it('are answered in each mode by what is recorded, and what is not is made, or refused', () => {
    const folder = new Folder();
    folder.attempt('record', 'greet[x]', [hi, { json: 'old' }]);
    const before = folder.files;
    for (const mode of ['record', 'replay'] as const) {
      const { answers, lookups } = folder.attempt(mode, 'greet[x]', [hi]);
      expect(answers).to.deep.equal(['1']);
      expect(lookups).to.include({ found: 1 });
      // What nobody asks for is counted where files are put in order.
      expect(lookups?.unused).to.equal(mode === 'record' ? 1 : undefined);
    }
    expect(folder.files).to.deep.equal(before);
    const asked = [hi, { json: 'new' }];
    const [, refused] = folder.attempt('offline', 'greet[x]', asked).answers;
    expect(refused).to.match(
      /^not recorded: POST api\.openai\.com\/v1\/chat\/completions \(m\)\n {2}nearest recording a\.eval\.ts\/greet\/x~1\/\w+-1\.json differs first in messages\[0\]\.content:\n {2}- (hi|old)\n {2}\+ new\n {2}record it: assay run \S*a\.eval\.ts::greet\[x\]\S* --record$/,
    );
    expect(folder.files).to.deep.equal(before);
    expect(folder.attempt('replay', 'greet[x]', asked).answers).to.deep.equal(['1', 'made 3']);
    expect(Object.keys(folder.files)).to.have.length(3);
    // All is asked for anew; what is asked for no more may be of other params, and stays.
    const anew = folder.attempt('record-all', 'greet[x]', asked);
    expect(anew.answers).to.deep.equal(['made 4', 'made 5']);
    expect(folder.attempt('offline', 'greet[x]', asked).answers).to.deep.equal(['4', '5']);
    expect(Object.keys(folder.files)).to.have.length(3);
  });

  it('of other variants stay, and are not counted as unused', () => {
    const folder = new Folder();
    for (const mode of ['record', 'record-all'] as const) {
      for (const json of ['large', 'swift']) {
        const variant = recordingProcess(folder.path, mode).attempt(
          sourceOf('v[x]'),
          undefined,
          true,
        );
        variant.ask({ json, answer: `${mode} ${json}` });
        variant.end();
        expect(variant.lookups?.unused).to.equal(undefined);
      }
    }
    const { answers } = folder.attempt('offline', 'v[x]', [{ json: 'large' }, { json: 'swift' }]);
    expect(answers).to.deep.equal(['record-all large', 'record-all swift']);
  });

  it('that are equal keep their order, and only new trials are asked for', () => {
    const folder = new Folder();
    expect(folder.ask('record', 'same[x]', 2)).to.deep.equal(['made 1', 'made 2']);
    expect(folder.ask('record', 'same[x]~2', 2)).to.deep.equal(['made 3', 'made 4']);
    const { files } = folder;
    for (const mode of ['record', 'offline'] as const) {
      expect(folder.ask(mode, 'same[x]', 2)).to.deep.equal(['1', '2']);
      expect(folder.ask(mode, 'same[x]~2', 2)).to.deep.equal(['3', '4']);
    }
    expect(folder.files).to.deep.equal(files);
    expect(folder.ask('offline', 'same[x]', 3)[2]).to.match(/^not recorded/);
    expect(folder.ask('offline', 'same[x]~3', 1)[0]).to.match(/^not recorded/);
    // Another prompt: the second trial gets no answer of the first.
    expect(folder.ask('record', 'same[x]', 1, 'other')).to.deep.equal(['made 5']);
    expect(folder.ask('record', 'same[x]~2', 1, 'other')).to.deep.equal(['made 6']);
  });

  it('are told apart by role, and by what the address names: a server, a page, a record', () => {
    const folder = new Folder();
    const urls = [
      ...['http://localhost:8080/v1/embeddings', 'http://localhost:8081/v1/embeddings'],
      ...['https://a.example/list', 'https://a.example/list?pageToken=CAUQAAaabbccddeeff'],
      ...['https://a.example/list?pageToken=CAoQAAaabbccddeeff', 'https://a.example/get?key=user1'],
      ...['https://a.example/get?key=user2', 'https://a.example/scan?startKey=0123456789abcdef'],
      'https://a.example/scan?startKey=fedcba9876543210',
    ];
    const asked = urls.map((url) => ({ ...hi, url }));
    const judge = { ...hi, url: urls[0] ?? '', role: 'evaluator:judge' } as const;
    folder.attempt('record', 'one[x]', [...asked, judge]);
    const answers = [...asked.map((_, at) => `${at + 1}`), `${asked.length + 1}`];
    const backwards = folder.attempt('offline', 'one[x]', [...asked, judge].reverse());
    expect(backwards.answers).to.deep.equal(answers.reverse());
  });

  it('are the same with another key, or at another random port of this machine', () => {
    const folder = new Folder();
    const urls = (port: number, key: string) =>
      [
        `http://127.0.0.1:${port}/v1/embeddings`,
        `https://g.example/v1/embeddings?key=${key}&x=1`,
        `https://g.example/v1/embeddings?access_token=${key}`,
      ].map((url) => ({ ...hi, url }));
    folder.attempt('record', 'one[x]', urls(40_001, 'AIzaSyA-0123456789abcdef'));
    const { text } = { text: Object.values(folder.files).join() };
    expect(text).to.not.include('AIza').and.not.include('40001');
    for (const key of ['offline', '', 'AIzaSyB-fedcba9876543210', 'undefined']) {
      const { answers } = folder.attempt('offline', 'one[x]', urls(50_002, key));
      expect(answers).to.deep.equal(['1', '2', '3']);
    }
  });

  it('are found with a new normalize, and where a case is renamed with its files', () => {
    const folder = new Folder();
    const dated = (date: string) => ({ json: { text: 'hi', date } });
    folder.attempt('record', 'one[x]', [dated('1'), dated('2')]);
    const normalize = ['messages[*].content.date'];
    const offline = recordingProcess(folder.path, 'offline', { normalize });
    const attempt = offline.attempt(sourceOf('one[x]'));
    expect([attempt.ask(dated('8')), attempt.ask(dated('9'))].map(textOf)).to.have.members([
      '1',
      '2',
    ]);
    const path = (id: string) => join(folder.path, folderOfAttempt(sourceOf(`one[${id}]`)));
    renameSync(path('x'), path('y'));
    expect(folder.attempt('offline', 'one[y]', [dated('1')]).answers).to.deep.equal(['1']);
  });

  it('say in one line what is wrong with a file, and replay leaves it alone', () => {
    const damages: Readonly<Record<string, readonly [string, (whole: string) => string]>> = {
      half: ['is not whole or not JSON', (whole) => whole.slice(0, whole.length / 2)],
      newer: ['has version 3', (whole) => whole.replace('recording": 2', 'recording": 3')],
      list: ['is no recording', () => '[]'],
      text: ['cannot be used: it is not complete', (whole) => whole.replace('200', '"ok"')],
      conflict: [
        'is in conflict: keep one side in git, or record it again',
        (whole) => `<<<<<<< HEAD\r\n${whole}=======\r\n${whole}>>>>>>> branch\r\n`,
      ],
    };
    for (const [id, [problem, damage]] of Object.entries(damages)) {
      const folder = new Folder();
      const name = `one[${id}]`;
      folder.attempt('record', name, [hi]);
      const path = folder.edit('', damage);
      const { [path]: damaged } = folder.files;
      const [refused] = folder.attempt('offline', name, [hi]).answers;
      expect(refused).to.include(`the recording ${path} ${problem}`);
      const { answers, warnings } = folder.attempt('replay', name, [hi]);
      expect(answers).to.deep.equal(['made 2']);
      expect(warnings.join()).to.include(`${path} ${problem}`);
      expect(folder.files[path]).to.equal(damaged);
      // What was made beside a file that was left alone answers as well.
      expect(folder.attempt('offline', name, [hi]).answers).to.deep.equal(['2']);
      expect(folder.attempt('record-all', name, [hi]).answers).to.deep.equal(['made 3']);
      expect(folder.attempt('offline', name, [hi]).answers).to.deep.equal(['3']);
    }
  });

  it('are answered by what people and editors on Windows have made of a file', () => {
    for (const change of [
      (text: string) => `\uFEFF${text}`,
      (text: string) => text.replaceAll('\n', '\r\n'),
      (text: string) => text.replace('"json": 1', '"text": "1"'),
    ]) {
      const folder = new Folder();
      folder.attempt('record', 'one[x]', [hi]);
      folder.edit('', change);
      const { files } = folder;
      expect(folder.attempt('offline', 'one[x]', [hi]).answers).to.deep.equal(['1']);
      expect(folder.attempt('record', 'one[x]', [hi]).answers).to.deep.equal(['1']);
      expect(folder.files).to.deep.equal(files);
    }
    // A request that was edited is another one.
    const folder = new Folder();
    folder.attempt('record', 'one[x]', [hi]);
    folder.edit('', (text) => text.replace('"hi"', '"ho"'));
    expect(folder.attempt('offline', 'one[x]', [hi]).answers[0]).to.match(/^not recorded/);
    expect(folder.attempt('offline', 'one[x]', [{ json: 'ho' }]).answers).to.deep.equal(['1']);
  });

  it('are answered, and recorded as far as possible, where nothing can be written', () => {
    const folder = new Folder();
    mkdirSync(join(folder.path, 'a.eval.ts'));
    writeFileSync(join(folder.path, 'a.eval.ts/one'), '');
    const { answers, warnings } = folder.attempt('record', 'one[x]', [hi]);
    expect(answers).to.deep.equal(['made 1']);
    expect(warnings[0]).to.match(
      /^the recording a\.eval\.ts\/one\/x~1\/\w+-1\.json could not be written: /,
    );
    expect(folder.files).to.deep.equal({});
  });

  it('of the first version are answered, and the next run that records rewrites them', () => {
    const folder = new Folder();
    folder.attempt('record', 'one[x]', [hi]);
    const { files } = folder;
    const [[path = '', text = ''] = []] = Object.entries(files);
    const { assay_recording: _, role, request, response, ...about } = JSON.parse(text);
    const exchange = { name: '01-target-24c624c7', role, duration: 0.1, request, response };
    rmSync(join(folder.path, dirname(path)), { recursive: true });
    const first = { assay_recording: 1, ...about, trial: 1, exchanges: [exchange] };
    writeFileSync(join(folder.path, `${dirname(path)}.json`), JSON.stringify(first));
    const old = folder.files;
    for (const mode of ['offline', 'replay'] as const) {
      tidyRecordings({ folder: folder.path, mode, normalize: [] });
      expect(folder.attempt(mode, 'one[x]', [hi]).answers).to.deep.equal(['1']);
      expect(folder.attempt(mode, 'one[y]', [hi]).answers).to.deep.equal(['(1)']);
      expect(folder.files).to.deep.equal(old);
    }
    expect(readRecordings(folder.path).recordings).to.have.length(1);
    tidyRecordings({ folder: folder.path, mode: 'record', normalize: [] });
    expect(folder.files).to.deep.equal(files);
  });

  it('of branches that change prompts, the same one too, merge without a conflict', () => {
    const folder = new Folder();
    const prompts = { greet: 'kind\n\n\n\nhello', part: 'short' };
    const record = (changed: Partial<typeof prompts>) => {
      for (const [name, json] of Object.entries({ ...prompts, ...changed })) {
        folder.attempt('record', `${name}[x]`, [{ json }]);
      }
    };
    const git = (...args: string[]) => {
      const name = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      const options = { cwd: folder.path, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync('git', [...name, ...args], options);
      expect(status, stdout + stderr).to.equal(0);
    };
    const commit = (branch: string) => {
      git('add', '-A');
      git('commit', '-q', '-m', branch);
    };
    git('init', '-q', '-b', 'main');
    record({});
    commit('main');
    const branches = {
      part: { part: 'long' },
      greet: { greet: 'kind\n\n\n\ngoodbye' },
      again: { greet: 'very kind\n\n\n\nhello' },
    };
    for (const [branch, changed] of Object.entries(branches)) {
      git('checkout', '-q', '-b', branch, 'main');
      record(changed);
      commit(branch);
    }
    for (const branch of ['part', 'greet']) git('merge', '-q', '--no-edit', branch);
    for (const [name, json] of Object.values({ ...branches, main: prompts }).flatMap(
      Object.entries,
    )) {
      const [answer] = folder.attempt('offline', `${name}[x]`, [{ json }]).answers;
      expect(answer).to.match(/^\d$/);
    }
  });
});

describe('requests that others have recorded', () => {
  it('are answered by them, move to a folder for all at the next record, and then no order changes a file', () => {
    const folder = new Folder();
    const index = [{ json: 'a' }, { json: 'b' }, { json: 'b' }];
    const ofCase = (id: string) => ({ json: `about ${id}` });
    const run = (mode: Mode, ...ids: readonly string[]) =>
      ids.map((id, at) =>
        folder
          .attempt(mode, `rag[${id}]`, [...(at === 0 ? index : []), ofCase(id)])
          .answers.join(' '),
      );
    expect(run('record', 'x', 'y')).to.deep.equal(['made 1 made 2 made 3 made 4', 'made 5']);
    const { files } = folder;
    expect(run('offline', 'y', 'x')).to.deep.equal(['(1) (2) (3) 5', '4']);
    expect(run('offline', 'x')).to.deep.equal(['1 2 3 4']);
    expect(folder.files).to.deep.equal(files);
    expect(run('record', 'y', 'x')).to.deep.equal(['(1) (2) (3) 5', '4']);
    const places = { 'a.eval.ts/_shared': 3, 'a.eval.ts/rag/x~1': 1, 'a.eval.ts/rag/y~1': 1 };
    expect(folder.counts).to.deep.equal(places);
    const { files: moved } = folder;
    for (const ids of [['x', 'y'], ['y', 'x'], ['y']]) {
      expect(run('record', ...ids)[0]).to.match(/^\(1\) \(2\) \(3\) \d$/);
      expect(folder.files).to.deep.equal(moved);
    }
    // A new case asks for what is its own only.
    expect(run('record', 'z')).to.deep.equal(['(1) (2) (3) made 6']);
    expect(run('record-all', 'y', 'x')).to.deep.equal(['made 7 made 8 made 9 made 10', 'made 11']);
    expect(folder.counts).to.deep.equal({ ...places, 'a.eval.ts/rag/z~1': 1 });
    expect(run('offline', 'x', 'y')).to.deep.equal(['(7) (8) (9) 11', '10']);
  });

  it('keep their order when they move', () => {
    const folder = new Folder();
    folder.ask('record', 'same[x]', 2);
    expect(folder.ask('record', 'same[y]', 1)).to.deep.equal(['(1)']);
    expect(folder.ask('record', 'same[y]', 2)).to.deep.equal(['(1)', '(2)']);
    expect(folder.ask('record', 'same[x]', 2)).to.deep.equal(['(1)', '(2)']);
    expect(folder.counts).to.deep.equal({ 'a.eval.ts/_shared': 2 });
  });

  it('keep their order where one branch has shared the first, and another has recorded a second', () => {
    const folder = new Folder();
    folder.ask('record', 'same[x]', 1);
    const other = temporaryFolder();
    cpSync(folder.path, other, { recursive: true });
    folder.ask('record', 'same[y]', 1);
    expect(folder.counts).to.deep.equal({ 'a.eval.ts/_shared': 1 });
    const merged = folder.path;
    const second = new Folder();
    cpSync(other, second.path, { recursive: true });
    second.attempt('record', 'same[x]', [{ json: 'equal' }, { json: 'equal', answer: '2' }]);
    const [, path = ''] = Object.keys(second.files);
    mkdirSync(dirname(join(merged, path)), { recursive: true });
    cpSync(join(second.path, path), join(merged, path));
    for (const mode of ['offline', 'record'] as const) {
      expect(folder.ask(mode, 'same[x]', 2)).to.deep.equal(['(1)', '2']);
    }
    expect(folder.counts).to.deep.equal({ 'a.eval.ts/_shared': 1, 'a.eval.ts/same/x~1': 1 });
  });

  it('are equal where both branches move them', () => {
    const folder = new Folder();
    folder.ask('record', 'same[x]', 1);
    const [one, other] = ['y', 'z'].map((id) => {
      const branch = new Folder();
      cpSync(folder.path, branch.path, { recursive: true });
      branch.ask('record', `same[${id}]`, 1);
      return branch.files;
    });
    expect(one).to.deep.equal(other);
  });

  it('are no answers of other trials, nor of the same run', () => {
    const folder = new Folder();
    folder.ask('record', 'same[x]', 1);
    expect(folder.ask('record', 'same[x]~2', 1)).to.deep.equal(['made 2']);
    const run = recordingProcess(folder.path, 'record', { since: 0 });
    expect(textOf(run.attempt(sourceOf('same[y]')).ask({ json: 'equal', answer: '3' }))).to.equal(
      'made 3',
    );
  });

  it('say so where they are in conflict, and are recorded again in their place', () => {
    const folder = new Folder();
    folder.ask('record', 'same[x]', 1);
    folder.ask('record', 'same[y]', 1);
    const path = folder.edit(
      '_shared',
      (text) => `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> b\n`,
    );
    expect(folder.ask('offline', 'same[y]', 1)[0]).to.include(
      `the recording ${path} is in conflict: keep one side in git, or record it again`,
    );
    expect(folder.ask('record', 'same[y]', 1)).to.deep.equal(['made 2']);
    expect(Object.keys(folder.files)).to.deep.equal([path]);
    expect(folder.ask('offline', 'same[x]', 1)).to.deep.equal(['(2)']);
  });

  it('of other eval files answer offline only, after their own', () => {
    const folder = new Folder();
    const other = { file: 'b.eval.ts', evaluation: 'same', case: 'x' };
    const ask = (mode: Mode) => folder.attempt(mode, '', [{ json: 'equal' }], other);
    folder.ask('record', 'same[x]', 1);
    expect(ask('offline').answers).to.deep.equal(['(1)']);
    expect(ask('record').answers).to.deep.equal(['made 2']);
    expect(ask('offline').answers).to.deep.equal(['2']);
    expect(folder.ask('offline', 'same[x]', 1)).to.deep.equal(['1']);
    expect(folder.counts).to.deep.equal({ 'a.eval.ts/same/x~1': 1, 'b.eval.ts/same/x~1': 1 });
    expect(existsSync(join(folder.path, 'b.eval.ts/_shared'))).to.equal(false);
  });
});
