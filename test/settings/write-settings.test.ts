import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';

import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { writeSettings } from '../../src/settings/write-settings.js';
import { refusal } from '../store/builders.js';
import { temporaryFolders } from './temporary-folder.js';

const commented = `# Settings of our evals

# Be polite to the provider
concurrency: 4 # four at most
timeout: 1.50

ui:
    # another tool reads this
    theme: dark
    sizes: [10, 20]
"quoted key": 'single'

configs:
    # the small one
    vader:
        params: {model: 'afinn'}
        trials: 3 # enough

# the end
`;

describe('writeSettings', () => {
  const folder = temporaryFolders();
  const write = async (text: string | undefined, changes: Parameters<typeof writeSettings>[1]) => {
    const cwd = folder(text === undefined ? {} : { 'assay.yaml': text });
    const file = join(cwd, 'assay.yaml');
    const { changed } = await writeSettings(file, changes);
    expect(readdirSync(cwd)).to.deep.equal(
      changed.length > 0 || text !== undefined ? ['assay.yaml'] : [],
    );
    return {
      file,
      changed,
      text: text === undefined && changed.length === 0 ? '' : readFileSync(file, 'utf8'),
    };
  };

  it('makes the file when there is none', async () => {
    expect((await write(undefined, { concurrency: 20 })).text).to.equal('concurrency: 20\n');
  });

  it('makes no file to remove something from it', async () => {
    expect((await write(undefined, { concurrency: undefined })).changed).to.deep.equal([]);
  });

  // A change, and which text it puts in which place: values keep their quotes, and what is new stands beside its siblings.
  for (const [change, from, to] of [
    [{ concurrency: 20 }, 'concurrency: 4 ', 'concurrency: 20 '],
    [{ 'configs.vader.params.model': 'va, {der}' }, "'afinn'", "'va, {der}'"],
    [{ trials: 2 }, '\n# the end', 'trials: 2\n\n# the end'],
    [{ 'configs.vader.timeout': 9 }, '\n# the end', '        timeout: 9\n\n# the end'],
    [
      { 'configs.big.params.model': 'x' },
      '\n# the end',
      '    big:\n        params:\n            model: x\n\n# the end',
    ],
    [{ concurrency: undefined }, 'concurrency: 4 # four at most', '# four at most'],
  ] as const) {
    const keys = Object.keys(change);
    it(`changes ${keys} to ${Object.values(change)} and no other byte`, async () => {
      const { text, changed } = await write(commented, change);
      expect(text).to.equal(commented.replace(from, to));
      expect(changed).to.deep.equal(keys);
    });
  }

  it('replaces five keys at once, as a settings page does', async () => {
    const { text, changed } = await write(commented, {
      concurrency: 2,
      timeout: undefined,
      trials: undefined,
      results_dir: 'runs',
      completion_notifications: true,
    });
    expect(changed).to.deep.equal([
      'concurrency',
      'timeout',
      'results_dir',
      'completion_notifications',
    ]);
    expect(parse(text)).to.deep.include({
      concurrency: 2,
      results_dir: 'runs',
      completion_notifications: true,
    });
    expect(parse(text)).to.not.have.property('timeout');
    expect(text).to.include('sizes: [10, 20]\n').and.include('"quoted key": \'single\'\n');
  });

  it('leaves a file alone whose values are right already', async () => {
    const { text, changed } = await write(commented, {
      concurrency: 4,
      timeout: 1.5,
      nope: undefined,
    });
    expect(text).to.equal(commented);
    expect(changed).to.deep.equal([]);
  });

  it('writes values that YAML would read otherwise in quotes', async () => {
    for (const model of [
      ...['true', '1.10', 'null', '', ' a ', 'a: b', '# no', '- x', 'two\nlines', '日本', '*a'],
      ...['%'],
    ]) {
      const { text } = await write(commented, { 'configs.vader.params.model': model });
      expect(parse(text).configs.vader.params.model).to.equal(model);
      expect(text).to.include('# four at most').and.include('# enough');
    }
  });

  it('takes lists and maps as values of params', async () => {
    const { text } = await write(commented, { 'configs.vader.params.stop': ['a', { b: null }] });
    expect(parse(text).configs.vader.params).to.deep.equal({
      model: 'afinn',
      stop: ['a', { b: null }],
    });
    expect(text).to.include('# another tool reads this').and.include('# the small one');
  });

  it('keeps Windows line ends', async () => {
    const windows = commented.replaceAll('\n', '\r\n');
    const changes = [
      { trials: 2 },
      { concurrency: undefined },
      { 'configs.vader.params': undefined },
      { 'configs.vader.params.stop': ['a'] },
    ];
    for (const change of changes) {
      const { text } = await write(windows, change);
      expect(text.replaceAll('\r\n', '')).to.not.match(/[\r\n]/);
      expect(text).to.include('# the end\r\n');
    }
  });

  it('adds below keys that hold nothing, to files of comments, and without a last line end', async () => {
    const add = async (text: string) => (await write(text, { 'configs.a.trials': 2 })).text;
    expect(parse(await add('configs:\n'))).to.deep.equal({ configs: { a: { trials: 2 } } });
    expect(parse(await add('configs: # here\n  a:\n'))).to.deep.equal({
      configs: { a: { trials: 2 } },
    });
    expect(parse(await add('configs: {}\n'))).to.deep.equal({ configs: { a: { trials: 2 } } });
    expect(await add('# only this\n')).to.equal('# only this\n\nconfigs:\n  a:\n    trials: 2\n');
    expect(await add('---\n# x\n'))
      .to.include('# x')
      .and.include('trials: 2');
    expect(await add('verbose: true')).to.equal('verbose: true\nconfigs:\n  a:\n    trials: 2\n');
  });

  it('reaches names that hold a dot', async () => {
    const { text } = await write('configs:\n  gpt-4.1:\n    trials: 2\n', {
      'configs."gpt-4.1".trials': 3,
    });
    expect(text).to.equal('configs:\n  gpt-4.1:\n    trials: 3\n');
  });

  it('overrides a merged key beside the merge and refuses to go through an alias', async () => {
    const merged = 'base: &b\n  trials: 2\nconfigs:\n  a:\n    <<: *b\n';
    const { text } = await write(merged, { 'configs.a.trials': 5 });
    expect(parse(text, { merge: true }).configs.a.trials).to.equal(5);
    expect(parse(text).base.trials).to.equal(2);
    const aliased = folder({ 'assay.yaml': 'base: &b\n  trials: 2\nconfigs:\n  a: *b\n' });
    const file = join(aliased, 'assay.yaml');
    const error = await refusal(() => writeSettings(file, { 'configs.a.trials': 5 }));
    expect(error.code).to.equal('bad-request');
    expect(error.message).to.equal('configs.a.trials cannot be changed from here.');
  });

  describe('leaves the file byte-identical and', () => {
    const refused = async (text: string, changes: Parameters<typeof writeSettings>[1]) => {
      const cwd = folder({ 'assay.yaml': text });
      const error = await refusal(() => writeSettings(join(cwd, 'assay.yaml'), changes));
      expect(readFileSync(join(cwd, 'assay.yaml'), 'utf8')).to.equal(text);
      expect(readdirSync(cwd)).to.deep.equal(['assay.yaml']);
      return error;
    };

    it('names line and column when it does not parse', async () => {
      const error = await refused('trials: 2\n\tx: 1\n', { trials: 3 });
      expect(error.code).to.equal('bad-settings');
      expect(error.message).to.match(/assay\.yaml:2:\d+: /);
    });

    it('names line and column when it does not validate', async () => {
      const error = await refused('a: 1\ntrials: many\n', { trials: 3 });
      expect(error.message).to.match(/assay\.yaml:2:1: trials must be a whole number/);
    });

    it('refuses a value that is not allowed, and all others with it', async () => {
      const error = await refused(commented, { trials: 2, concurrency: 5000 });
      expect(error.code).to.equal('bad-request');
      expect(error.message).to.equal(
        'concurrency must be a whole number from 1 to 1000, not 5000.',
      );
    });

    it('refuses keys that objects reserve', async () => {
      for (const key of [
        '__proto__.x',
        'configs.constructor.trials',
        'configs.a.params.__proto__',
      ]) {
        expect((await refused(commented, { [key]: 1 })).code).to.equal('usage');
      }
      expect({}).to.not.have.property('x');
    });
  });

  it('writes through a link and keeps the mode', async () => {
    const cwd = folder({ 'real.yaml': 'trials: 2\n' });
    chmodSync(join(cwd, 'real.yaml'), 0o640);
    symlinkSync('real.yaml', join(cwd, 'assay.yaml'));
    await writeSettings(join(cwd, 'assay.yaml'), { trials: 3 });
    expect(lstatSync(join(cwd, 'assay.yaml')).isSymbolicLink()).to.equal(true);
    expect(readFileSync(join(cwd, 'real.yaml'), 'utf8')).to.equal('trials: 3\n');
    expect(statSync(join(cwd, 'real.yaml')).mode & 0o777).to.equal(0o640);
  });

  it('says that the folder is not there or is none', async () => {
    const cwd = folder({ file: '' });
    for (const place of ['nowhere', 'file']) {
      const path = join(cwd, place, 'assay.yaml');
      const error = await refusal(() => writeSettings(path, { trials: 2 }));
      expect(error.code).to.equal('storage-unusable');
      expect(error.message).to.include(path);
    }
  });

  it('does not write into a folder of that name', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'assay.yaml'));
    const error = await refusal(() => writeSettings(join(cwd, 'assay.yaml'), { trials: 2 }));
    expect(error.message).to.include('is a folder');
  });

  it('keeps every one of many writes that run at once in a process', async () => {
    const cwd = folder({ 'assay.yaml': '# kept\n' });
    const file = join(cwd, 'assay.yaml');
    const keys = Array.from({ length: 20 }, (_, i) => `p${i}`);
    await Promise.all(keys.map((key) => writeSettings(file, { [`configs.a.params.${key}`]: key })));
    const text = readFileSync(file, 'utf8');
    expect(Object.keys(parse(text).configs.a.params)).to.have.members(keys);
    expect(text.startsWith('# kept\n')).to.equal(true);
    writeFileSync(file, text);
  });
});
