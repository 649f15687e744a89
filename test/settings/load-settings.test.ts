import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSettings } from '../../src/settings/load-settings.js';
import { settingKeys, settingTable } from '../../src/settings/setting-table.js';
import type { SettingsError } from '../../src/settings/settings-error.js';
import { refusal } from '../store/builders.js';
import { temporaryFolders } from './temporary-folder.js';

describe('loadSettings', () => {
  const folder = temporaryFolders();
  const load = (yaml: string, more: Partial<Parameters<typeof loadSettings>[0]> = {}) =>
    loadSettings({ cwd: folder({ 'assay.yaml': yaml }), env: {}, ...more });
  const withConf = (yaml: string) => {
    const cwd = folder();
    mkdirSync(join(cwd, 'conf'));
    writeFileSync(join(cwd, 'conf', 'a.yaml'), yaml);
    return cwd;
  };
  const errorOf = async (yaml: string) => {
    const error = await refusal(() => load(yaml));
    expect(error.code).to.equal('bad-settings');
    return error as SettingsError;
  };

  it('reads the rules of scores; what is empty says nothing', async () => {
    const yaml = 'scores:\n  a: { threshold: 0 }\n  b: { better: lower, threshold: }\n  c:\n';
    expect((await load(yaml)).scoreRules).to.deep.equal({
      a: { threshold: 0 },
      b: { better: 'lower' },
      c: {},
    });
    expect((await load('trials: 1\n')).scoreRules).to.equal(undefined);
    expect((await load('scores:\n')).scoreRules).to.equal(undefined);
    const { message } = await errorOf('scores:\n  a: { threshold: 90, scale: [0, 1] }\n');
    expect(message).to.include(
      'scores.a.threshold must be a number from 0 to 1, its scale, not 90',
    );
  });

  it('reads rates of models and hosts, and says where one will not do', async () => {
    const { rates } = await load(
      'rates:\n  gpt-5*: { requests: 60, tokens: 100000 }\n  localhost:11434: { at_once: 2 }\n  slow: {}\n',
    );
    expect(rates).to.deep.equal({
      'gpt-5*': { requests: 60, tokens: 100_000 },
      'localhost:11434': { at_once: 2 },
      slow: {},
    });
    for (const [entry, message] of [
      [
        '{ requests: 0 }',
        /^assay\.yaml:2:\d+: rates\.m\.requests must be a whole number above 0, not 0/,
      ],
      ['{ at_once: 1.5 }', /rates\.m\.at_once must be a whole number above 0, not 1\.5/],
      ['{ rpm: 5 }', /rates\.m\.rpm is not part of a rate\. It has requests, tokens and at_once\./],
      ['5', /rates\.m must be a list of key: value, such as requests: 1, not 5/],
    ] as const) {
      expect((await errorOf(`rates:\n  m: ${entry}\n`)).message).to.match(message);
    }
  });

  it('reads prices of models, and says where one will not do', async () => {
    const { prices } = await load('prices:\n  gpt-4.1: { input: 2, cached: , output: 8 }\n');
    expect(prices).to.deep.equal({ 'gpt-4.1': { input: 2, output: 8 } });
    for (const [entry, message] of [
      [
        '{ input: -1, output: 8 }',
        /^assay\.yaml:2:\d+: prices\.m\.input must be a number of US dollars, 0 or more, not -1/,
      ],
      ['{ input: 1 }', /prices\.m needs output, not \{"input":1\}/],
      ['2', /prices\.m must be a list of key: value, such as input: 1, not 2/],
      [
        '{ input: 1, output: 2, cache: 3 }',
        /prices\.m\.cache is not part of a price\. Did you mean cached\?/,
      ],
      [
        '{ input: 1, output: 2, each: 3 }',
        /prices\.m\.each is not part of a price\. It has provider, input, cached, output and searches\./,
      ],
    ] as const) {
      expect((await errorOf(`prices:\n  m: ${entry}\n`)).message).to.match(message);
    }
  });

  it('reads the texts by which people label, and says where one is none', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'assay.yaml'), 'rubrics:\n  tone: |\n    Polite.\n  other:\n');
    expect((await loadSettings({ cwd, env: {} })).rubrics).to.deep.equal({ tone: 'Polite.' });
    for (const [text, message] of [
      ['rubrics: polite', /rubrics must be a list of rubrics by score key/],
      ['rubrics: { tone: 3 }', /rubrics\.tone must be a text, not 3/],
      ['rubrics: { "": polite }', /needs a score key/],
      [
        'editor: vim',
        /editor must be one of vscode, cursor, webstorm, zed, or an address with \{path\}/,
      ],
      ['editor: "javascript://{path}"', /editor must be one of/],
      ['reviewer: "a\\nb"', /reviewer must be 1 to 100 printable characters/],
    ] as const) {
      expect((await errorOf(text)).message, text).to.match(message);
    }
  });

  describe('without a settings file', () => {
    it('gives the defaults, with results below the working directory', async () => {
      const cwd = folder();
      const settings = await loadSettings({ cwd, env: {} });
      expect(settings.fileExists).to.equal(false);
      expect(settings.file).to.equal(join(cwd, 'assay.yaml'));
      expect(settingKeys.map((key) => settings.effective(key).value)).to.deep.equal([
        8,
        300,
        30,
        null,
        1,
        join(cwd, '.assay', 'sessions'),
        false,
        false,
        false,
        'full',
        2,
        null,
        null,
        'off',
        join(cwd, '.assay', 'recordings'),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
      ]);
      expect(settings.effective('trials').source).to.equal('default');
      expect(settings.fileValues).to.deep.equal({});
    });

    it('loads neither the YAML nor the schema library', () => {
      const source = new URL('../../src/settings/load-settings.ts', import.meta.url).href;
      const hook = `export async function load(url, context, next) {
        if (/node_modules.(yaml|zod)./.test(url)) throw new Error('loaded ' + url);
        return next(url, context);
      }`;
      const script = `
        import { register } from 'node:module';
        register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));
        const { loadSettings } = await import(${JSON.stringify(source)});
        const load = (cwd) => loadSettings({ cwd, env: { ASSAY_TRIALS: '2' } });
        console.log((await load(process.argv[1])).effective('trials').value);
        console.log(await load(process.argv[2]).catch((error) => error.message.slice(0, 6)));`;
      const folders = [folder(), folder({ 'assay.yaml': 'trials: 3' })];
      const child = spawnSync(
        process.execPath,
        ['--import=tsx', '--input-type=module', '-e', script, ...folders],
        { encoding: 'utf8', cwd: new URL('../..', import.meta.url) },
      );
      expect(child.stderr).to.equal('');
      expect(child.stdout).to.equal('2\nloaded\n');
    });

    it('refuses a named file that does not exist unless it may be missing', async () => {
      const cwd = folder();
      const error = await refusal(() => loadSettings({ cwd, env: {}, file: 'other.yaml' }));
      expect(error.code).to.equal('bad-settings');
      expect(error.message).to.include('other.yaml');
      const settings = await loadSettings({
        cwd,
        env: {},
        file: 'other.yaml',
        mayBeMissing: true,
      });
      expect(settings.file).to.equal(join(cwd, 'other.yaml'));
    });

    it('tells that assay.yml is not read', async () => {
      const settings = await loadSettings({ cwd: folder({ 'assay.yml': 'trials: 2' }), env: {} });
      expect(settings.warnings).to.deep.equal(['assay.yml is not read: rename it to assay.yaml.']);
      expect(settings.effective('trials').value).to.equal(1);
    });
  });

  describe('with a settings file', () => {
    it('takes its values and names their lines', async () => {
      const settings = await load('# mine\nconcurrency: 20\ntimeout: 1.5\nverbose: true\n');
      expect(settings.effective('concurrency')).to.deep.equal({
        value: 20,
        source: 'file',
        from: 'assay.yaml:2',
      });
      expect(settings.effective('timeout').value).to.equal(1.5);
      expect(settings.effective('verbose').value).to.equal(true);
      expect(settings.effective('trials').source).to.equal('default');
    });

    it('is read from another place, which results_dir is relative to', async () => {
      const cwd = withConf('results_dir: ../runs\n');
      const settings = await loadSettings({ cwd, env: {}, file: 'conf/a.yaml' });
      expect(settings.effective('results_dir')).to.deep.equal({
        value: join(cwd, 'runs'),
        source: 'file',
        from: 'conf/a.yaml:1',
      });
      expect(settings.fileValues).to.deep.equal({ results_dir: '../runs' });
    });

    it('puts default results beside a settings file in another folder', async () => {
      const cwd = withConf('trials: 2\n');
      const settings = await loadSettings({ cwd, env: {}, file: 'conf/a.yaml' });
      const expected = join(cwd, 'conf', '.assay', 'sessions');
      expect(settings.effective('results_dir').value).to.equal(expected);
    });

    for (const empty of ['0', 'null', 'false', '', '~']) {
      it(`takes ${JSON.stringify(empty)} for a setting that is not there`, async () => {
        const settings = await load(settingKeys.map((key) => `${key}: ${empty}\n`).join(''));
        expect(settingKeys.map((key) => settings.effective(key).source)).to.deep.equal(
          settingKeys.map(() => 'default'),
        );
        expect(settings.fileValues).to.deep.equal({});
      });
    }

    for (const empty of ['', '\n', '# nothing\n', '---\n', 'null', '{}', '\uFEFFtrials: 1']) {
      it(`reads ${JSON.stringify(empty)} as a file that sets nothing more`, async () => {
        const settings = await load(empty);
        expect(settings.fileExists).to.equal(true);
        expect(settings.effective('trials').value).to.equal(1);
      });
    }

    it('takes both ends of every range', async () => {
      for (const text of ['concurrency: 1\ntrials: 1', 'concurrency: 1000\ntrials: 1000']) {
        expect((await load(text)).fileValues).to.have.keys('concurrency', 'trials');
      }
      expect((await load('timeout: 0.001')).effective('timeout').value).to.equal(0.001);
      expect((await load('timeout: 86400')).effective('timeout').value).to.equal(86_400);
    });

    it('keeps unknown keys in the document and says nothing about them', async () => {
      const settings = await load('ui:\n  theme: dark\ntrials: 2\n');
      expect(settings.warnings).to.deep.equal([]);
      expect(settings.document).to.deep.equal({ ui: { theme: 'dark' }, trials: 2 });
    });

    it('tells about unknown keys that look like slips', async () => {
      const settings = await load(
        'concurency: 2\nconfigs:\n  fast:\n    trails: 2\n    model: x\n    verbose: true\n',
      );
      expect(settings.warnings).to.deep.equal([
        'assay.yaml:1:1: concurency is not a setting. Did you mean concurrency?',
        'assay.yaml:4:5: trails is not part of a run config. Did you mean trials?',
        'assay.yaml:5:5: model is not part of a run config. Put values that evaluations read as ctx.params into params.',
        'assay.yaml:6:5: verbose is not part of a run config. It applies to all runs: move it to the top of the file.',
      ]);
      expect(settings.effective('concurrency').value).to.equal(8);
    });

    it('follows merges and anchors', async () => {
      const settings = await load(
        'base: &base\n  trials: 3\nconfigs:\n  slow:\n    <<: *base\n    timeout: 9\n',
      );
      expect(settings.runConfigs[1]).to.deep.equal({
        name: 'slow',
        trials: 3,
        timeout: 9,
        params: {},
      });
    });
  });

  describe('with environment and flags', () => {
    it('puts a variable over the file and a flag over the variable', async () => {
      const cwd = folder({ 'assay.yaml': 'trials: 2\ntimeout: 2\nconcurrency: 2\n' });
      const settings = await loadSettings({
        cwd,
        env: { ASSAY_TRIALS: '3', ASSAY_TIMEOUT: '3.5' },
        flags: { trials: 4, concurrency: undefined },
      });
      expect(settings.effective('trials')).to.deep.equal({
        value: 4,
        source: 'flag',
        from: '--trials',
      });
      expect(settings.withoutFlags('trials')).to.deep.equal({
        value: 3,
        source: 'env',
        from: 'ASSAY_TRIALS',
      });
      expect(settings.effective('timeout').value).to.equal(3.5);
      expect(settings.effective('concurrency').source).to.equal('file');
      expect(settings.flags).to.deep.equal({ trials: 4 });
    });

    it('takes folders from variables and flags relative to the working directory', async () => {
      const cwd = withConf('results_dir: x\n');
      const base = { cwd, file: 'conf/a.yaml', env: { ASSAY_RESULTS_DIR: 'from-env' } };
      const fromEnv = await loadSettings(base);
      expect(fromEnv.effective('results_dir').value).to.equal(join(cwd, 'from-env'));
      const fromFlag = await loadSettings({ ...base, flags: { results_dir: 'from-flag' } });
      const steering = loadSettings({ ...base, flags: { results_dir: 'a\u001b[2Jb' } });
      expect(await steering.catch(String)).to.include(
        '--results-dir must be a path without control characters',
      );
      expect(fromFlag.effective('results_dir').value).to.equal(join(cwd, 'from-flag'));
    });

    it('leaves the file to decide where a variable is empty, and numbers where it is zero', async () => {
      const yaml = 'trials: 2\nconcurrency: 2\ntimeout: 2\nverbose: true\nresults_dir: x\n';
      for (const text of ['', '  ', '0', 'null', 'false']) {
        const env = { ASSAY_TRIALS: text, ASSAY_CONCURRENCY: text, ASSAY_TIMEOUT: text };
        const settings = await load(yaml, { env });
        expect(settings.effective('trials').source).to.equal('file');
        expect(settings.effective('concurrency').source).to.equal('file');
        expect(settings.effective('timeout').source).to.equal('file');
      }
      const blank = await load(yaml, { env: { ASSAY_VERBOSE: '', ASSAY_RESULTS_DIR: '' } });
      expect(blank.effective('verbose').source).to.equal('file');
      expect(blank.effective('results_dir').source).to.equal('file');
    });

    it('switches off what the file switches on with a variable that is false', async () => {
      const settings = await load('verbose: true\n', { env: { ASSAY_VERBOSE: 'false' } });
      expect(settings.effective('verbose').value).to.equal(false);
      expect(settings.effective('verbose').source).to.equal('env');
    });

    it('has a variable for every setting', async () => {
      const cwd = folder();
      for (const key of settingKeys) {
        const variable = `ASSAY_${key.toUpperCase()}`;
        const text =
          { capture: 'usage', recordings: 'replay', redis: 'redis://queue.test', editor: 'zed' }[
            key as string
          ] ??
          { string: 'runs', boolean: 'true' }[typeof settingTable[key].default as string] ??
          '7';
        const settings = await loadSettings({ cwd, env: { [variable]: text } });
        expect(settings.effective(key).source, key).to.equal('env');
        expect(String(settings.effective(key).value), key).to.include(text);
      }
    });

    for (const [variable, text] of [
      ['ASSAY_CONCURRENCY', 'many'],
      ['ASSAY_CAPTURE_MIB', '65'],
      ['ASSAY_CAPTURE_MIB', '-1'],
      ['ASSAY_CAPTURE_MIB', '2 MB'],
      ['ASSAY_CONCURRENCY', '1001'],
      ['ASSAY_TRIALS', '1.5'],
      ['ASSAY_CAPTURE', 'some'],
      ['ASSAY_TRIALS', '-1'],
      ['ASSAY_TRIALS', '0x10'],
      ['ASSAY_TIMEOUT', 'Infinity'],
      ['ASSAY_TIMEOUT', '30s'],
      ['ASSAY_VERBOSE', 'maybe'],
    ] as const) {
      it(`refuses ${variable}=${text}`, async () => {
        const error = await refusal(() =>
          loadSettings({ cwd: folder(), env: { [variable]: text } }),
        );
        expect(error.code).to.equal('bad-settings');
        expect(error.message).to.match(new RegExp(`^${variable} must be .*, not "${text}"\\.$`));
      });
    }
  });

  it('waits for the rest of a file that an editor is writing, and names what is broken', async () => {
    const whole = 'trials: 3\nconfigs:\n  fast:\n    trials: 1\n';
    const cwd = folder({ 'assay.yaml': whole.slice(0, 23) });
    const loading = loadSettings({ cwd, env: {} });
    writeFileSync(join(cwd, 'assay.yaml'), whole);
    expect((await loading).runConfigs[1]).to.include({ name: 'fast', trials: 1 });
    writeFileSync(join(cwd, 'assay.yaml'), 'configs:\n  fast: t\n');
    const error = await loadSettings({ cwd, env: {} }).catch((reason: unknown) => reason);
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .match(/assay\.yaml:2:\d+/);
  });
});
