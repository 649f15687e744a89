import { expect } from 'chai';
import { loadSettings } from '../../src/settings/load-settings.js';
import { resolveRunConfig } from '../../src/settings/resolve-run-config.js';
import { refusal } from '../store/builders.js';
import { temporaryFolders } from './temporary-folder.js';

/** What the settings say of calls when they say nothing. */
const calls = { capture: 'full', captureMib: 2, notModels: undefined, recordings: undefined };

describe('run configs', () => {
  const folder = temporaryFolders();
  const load = (yaml: string, more: Partial<Parameters<typeof loadSettings>[0]> = {}) =>
    loadSettings({ cwd: folder({ 'assay.yaml': yaml }), env: {}, ...more });

  it('always have a default, which is empty', async () => {
    const settings = await loadSettings({ cwd: folder(), env: {} });
    expect(settings.runConfigs).to.deep.equal([{ name: 'default', params: {} }]);
    expect(resolveRunConfig(settings)).to.deep.equal({
      name: 'default',
      concurrency: 8,
      timeout: { base: 300 },
      trials: { base: 1 },
      params: {},
      calls,
    });
  });

  it('are listed in the order of the file, default first', async () => {
    const settings = await load('configs:\n  b: {}\n  a:\n  default: { trials: 2 }\n');
    expect(settings.runConfigs.map((config) => config.name)).to.deep.equal(['default', 'b', 'a']);
    expect(resolveRunConfig(settings).trials).to.deep.equal({ base: 2 });
    expect(resolveRunConfig(settings, 'b').trials).to.deep.equal({ base: 1 });
  });

  it('win over environment and file; flags win over them', async () => {
    const yaml =
      'trials: 2\ntimeout: 2\nconfigs:\n  c: { trials: 4, timeout: 4, concurrency: 4 }\n';
    const env = { ASSAY_TRIALS: '3', ASSAY_CONCURRENCY: '3' };
    const plain = await load(yaml, { env });
    expect(resolveRunConfig(plain, 'c')).to.deep.include({
      concurrency: 4,
      trials: { base: 4 },
      timeout: { base: 4 },
    });
    expect(resolveRunConfig(plain)).to.deep.include({
      concurrency: 3,
      trials: { base: 3 },
      timeout: { base: 2 },
    });
    const flagged = await load(yaml, { env, flags: { trials: 5, concurrency: 5 } });
    expect(resolveRunConfig(flagged, 'c')).to.deep.include({
      concurrency: 5,
      trials: { flag: 5, base: 4 },
      timeout: { base: 4 },
    });
  });

  it('leave to the settings what is zero, null or false in them', async () => {
    const settings = await load(
      'trials: 2\nconfigs:\n  c: { trials: 0, timeout: null, concurrency: false, params: null }\n',
    );
    expect(resolveRunConfig(settings, 'c')).to.deep.equal({
      name: 'c',
      concurrency: 8,
      timeout: { base: 300 },
      trials: { base: 2 },
      params: {},
      calls,
    });
  });

  it('carry params of any JSON shape', async () => {
    const settings = await load(
      'configs:\n  c:\n    params: { model: x, deep: { list: [1, null, true] } }\n',
    );
    expect(resolveRunConfig(settings, 'c').params).to.deep.equal({
      model: 'x',
      deep: { list: [1, null, true] },
    });
  });

  it('are looked up by exact name, with near ones suggested', async () => {
    const settings = await load('configs:\n  vader: {}\n  afinn: {}\n');
    const near = await refusal(() => resolveRunConfig(settings, 'vadre'));
    expect(near.code).to.equal('bad-request');
    expect(near.message).to.equal('There is no run config named "vadre".');
    expect(near.hints[0]).to.equal('Did you mean vader?');
    const far = await refusal(() => resolveRunConfig(settings, 'zzzzzz'));
    expect(far.hints[0]).to.equal('Run configs: default, vader, afinn.');
    expect((await refusal(() => resolveRunConfig(settings, 'constructor'))).code).to.equal(
      'bad-request',
    );
  });
});
