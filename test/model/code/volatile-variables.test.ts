import assert from 'node:assert/strict';
import { environmentText } from '../../../src/model/code/volatile-variables.js';

describe('environmentText', () => {
  const isLeftOut = (name: string) => environmentText({ [name]: '1' }) === environmentText({});

  it('has variables of an app whose names begin like those of CI, npm, the language or a desktop', () => {
    const names = [
      'BUILD_FLAVOR',
      'CI_MODEL',
      'LC_ALL',
      'ACTIONS_PLAN',
      'XDG_CONFIG_HOME',
      'TMPDIR',
    ];
    const others = ['ASSAY_MODE', 'npm_config_model', 'GITHUB_OWNER', 'SSH_MODEL', 'VSCODE_X'];
    assert.deepEqual([...names, ...others].filter(isLeftOut), []);
  });

  it('leaves out those of one terminal and one job in CI', () => {
    const names = [
      'TERM',
      'COLUMNS',
      'HOSTNAME',
      'GITHUB_RUN_ID',
      'CI_JOB_ID',
      'SSH_TTY',
      'npm_command',
    ];
    assert.deepEqual(names.filter(isLeftOut), names);
  });
});
