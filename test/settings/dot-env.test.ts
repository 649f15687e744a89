import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadDotEnv } from '../../src/settings/dot-env.js';
import { refusal } from '../store/builders.js';
import { temporaryFolders } from './temporary-folder.js';

describe('loadDotEnv', () => {
  const folder = temporaryFolders();

  it('returns what the file adds to the environment', () => {
    const text = '\uFEFFA=1\nexport B="two\nlines"\n# no\nC=\'x\' # y\r\nD=\n';
    const added = loadDotEnv({ cwd: folder({ '.env': text }), env: {} });
    expect(added).to.deep.equal({ A: '1', B: 'two\nlines', C: 'x', D: '' });
  });

  it('lets the real environment win, also when it is empty', () => {
    const cwd = folder({ '.env': 'A=1\nB=2\nC=3\n' });
    expect(loadDotEnv({ cwd, env: { A: 'real', B: '' } })).to.deep.equal({ C: '3' });
  });

  it('adds nothing when there is no file', () => {
    expect(loadDotEnv({ cwd: folder(), env: {} })).to.deep.equal({});
  });

  it('says that .env is a folder', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, '.env'));
    const error = await refusal(() => loadDotEnv({ cwd, env: {} }));
    expect(error.code).to.equal('bad-settings');
    expect(error.message).to.equal(`${join(cwd, '.env')}: The environment file is a folder.`);
  });

  it('does not wait for a pipe', async () => {
    const cwd = folder();
    execFileSync('mkfifo', [join(cwd, '.env')]);
    const error = await refusal(() => loadDotEnv({ cwd, env: {} }));
    expect(error.message).to.include('is no regular file');
  });
});
