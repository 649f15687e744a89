import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolders } from '../settings/temporary-folder.js';
import { type CommandResult, runCommands } from './run-commands.js';

const json = (result: CommandResult | undefined) => JSON.parse(result?.stdout ?? '');

describe('assay config', () => {
  const folder = temporaryFolders();

  it('shows every setting with where it comes from, and the file', async () => {
    const cwd = folder({ '.env': 'ASSAY_TIMEOUT=7\n' });
    const [missing, set, shown] = await runCommands(
      cwd,
      [['config'], ['config', 'set', 'trials', '2'], ['config']],
      { ASSAY_CONCURRENCY: '9' },
    );
    expect(missing?.stdout).to.include(`${join(cwd, 'assay.yaml')} (does not exist yet)`);
    expect(set?.code).to.equal(0);
    expect(shown?.stdout.split('\n').map((line) => line.split(/ {2,}/))).to.deep.include.members([
      ['setting', 'value', 'from'],
      ['concurrency', '9', 'ASSAY_CONCURRENCY'],
      ['timeout', '7', 'ASSAY_TIMEOUT'],
      ['trials', '2', 'assay.yaml:1'],
      ['results_dir', join(cwd, '.assay', 'sessions'), 'default'],
      ['verbose', 'false', 'default'],
    ]);
    expect(shown?.stdout).to.not.include('does not exist');
    expect(shown?.stdout).to.not.include('\u001b');
    expect(shown?.stderr).to.equal('');
  });

  it('prints nothing but JSON on stdout with --json', async () => {
    const cwd = folder({ 'assay.yaml': 'trails: 2\nconfigs:\n  fast: { trials: 2 }\n' });
    const [all, get, path, list] = await runCommands(cwd, [
      ['config', '--json'],
      ['config', 'get', 'configs.fast.trials', '--json'],
      ['config', 'path', '--json'],
      ['config', 'list-configs', '--json'],
    ]);
    const file = join(cwd, 'assay.yaml');
    expect(json(all)).to.deep.include({ file, file_exists: true, configs: ['default', 'fast'] });
    expect(json(all).settings.trials).to.deep.equal({
      value: 1,
      source: 'default',
      from: 'default',
    });
    expect(all?.stderr).to.equal(
      '! assay.yaml:1:1: trails is not a setting. Did you mean trials?\n',
    );
    expect(json(get)).to.deep.equal({
      key: 'configs.fast.trials',
      value: 2,
      source: 'file',
      from: file,
    });
    expect(json(path)).to.deep.equal({ file, file_exists: true });
    expect(json(list).configs).to.deep.equal([
      { name: 'default', concurrency: 8, timeout: 300, trials: 1, params: {} },
      { name: 'fast', concurrency: 8, timeout: 300, trials: 2, params: {} },
    ]);
  });

  it('sets, gets and unsets, with values read by type', async () => {
    const cwd = folder({ 'assay.yaml': '# kept\nother: 1\n' });
    const results = await runCommands(cwd, [
      ['config', 'set', 'concurrency', '20'],
      ['config', 'set', 'results_dir', '007'],
      ['config', 'set', 'configs.vader.params.model', 'vader'],
      ['config', 'set', 'configs.vader.params.temperature', '0.2'],
      ['config', 'set', 'configs.vader.params.tags', '[a, b]'],
      ['config', 'set', 'configs.vader.params.note', 'a: b'],
      ['config', 'set', 'configs."gpt-4.1".params.hot', 'true'],
      ['config', 'set', 'scores.accuracy.threshold', '0.8'],
      ['config', 'get', 'configs.vader.params.temperature'],
      ['config', 'get', 'scores.accuracy.threshold'],
      ['config', 'get', 'other'],
      ['config', 'get', 'configs.vader.timeout'],
      ['config', 'unset', 'concurrency'],
      ['config', 'unset', 'concurrency'],
      ['config', 'unset', 'other'],
    ]);
    expect(results.map((result) => result.code)).to.deep.equal(results.map(() => 0));
    expect(results.slice(8, 12).map((result) => result.stdout)).to.deep.equal([
      '0.2\n',
      '0.8\n',
      '1\n',
      '300\n',
    ]);
    expect(results[13]?.stdout).to.equal('concurrency is not in the file.\n');
    expect(readFileSync(join(cwd, 'assay.yaml'), 'utf8')).to.equal(`# kept
results_dir: "007"
configs:
  vader:
    params:
      model: vader
      temperature: 0.2
      tags:
        - a
        - b
      note: "a: b"
  gpt-4.1:
    params:
      hot: true
scores:
  accuracy:
    threshold: 0.8
`);
  });

  it('names line and column of a broken file, which path still finds', async () => {
    const text = 'trials: 2\nverbose: [\n';
    const cwd = folder({ 'assay.yaml': text });
    const [shown, set, path] = await runCommands(cwd, [
      ['config', '--json'],
      ['config', 'set', 'trials', '3'],
      ['config', 'path'],
    ]);
    expect(shown?.code).to.equal(2);
    expect(json(shown).error.code).to.equal('bad-settings');
    expect(json(shown).error.message).to.match(/^assay\.yaml:3:1: /);
    expect(shown?.stderr).to.match(/^✗ assay\.yaml:3:1: /);
    expect(set?.code).to.equal(2);
    expect(path?.stdout).to.equal(`${join(cwd, 'assay.yaml')}\n`);
    expect(readFileSync(join(cwd, 'assay.yaml'), 'utf8')).to.equal(text);
  });

  it('works on the file that --settings names', async () => {
    const cwd = folder();
    const named = ['--settings', 'team.yaml'];
    const [set, get, path] = await runCommands(cwd, [
      ['config', 'set', 'timeout', '12.5', ...named],
      ['config', 'get', 'timeout', ...named],
      ['config', 'path', ...named],
    ]);
    expect(set?.code).to.equal(0);
    expect(get?.stdout).to.equal('12.5\n');
    expect(path?.stdout).to.equal(`${join(cwd, 'team.yaml')}\n`);
    expect(readFileSync(join(cwd, 'team.yaml'), 'utf8')).to.equal('timeout: 12.5\n');
  });

  it('tells when a variable wins over what was written', async () => {
    const cwd = folder();
    const [set] = await runCommands(cwd, [['config', 'set', 'trials', '3']], { ASSAY_TRIALS: '5' });
    expect(set?.stderr).to.equal('! ASSAY_TRIALS is set and takes precedence over the file.\n');
  });

  it('colours only when asked to, and shows a stack only with DEBUG', async () => {
    const cwd = folder();
    const command = [['config', 'get', 'nope']];
    const coloured = await runCommands(cwd, command, { FORCE_COLOR: '1' });
    expect(coloured[0]?.stderr).to.include('\u001b[31m✗');
    const plain = await runCommands(cwd, command, { FORCE_COLOR: '1', NO_COLOR: '1', DEBUG: '1' });
    expect(plain[0]?.stderr).to.include('✗ There is no setting nope.\n').and.not.include('\u001b');
    expect(plain[0]?.stderr).to.match(/^ {4}at /m);
  });

  it('lists run configs with what they run with', async () => {
    const cwd = folder();
    writeFileSync(
      join(cwd, 'assay.yaml'),
      'trials: 2\nconfigs:\n  日本: { params: { model: x, n: 2 }, timeout: 9 }\n',
    );
    const [list] = await runCommands(cwd, [['config', 'list-configs']]);
    expect(list?.stdout.trimEnd().split('\n')).to.deep.equal([
      'run config   concurrency   timeout   trials   params',
      'default      8             300 s     2',
      '日本         8             9 s       2        model=x n=2',
    ]);
  });
});
