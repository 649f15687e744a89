import { expect } from 'chai';
import { asTyped, launcherOf } from '../../src/cli/as-typed.js';

const local = '/home/ada/shop/node_modules/.bin/assay';
const cwd = '/home/ada/shop/packages/api';
const npm = { npm_config_user_agent: 'npm/10.9.0 node/v22.13.0 linux x64 workspaces/false' };
const pnpm = { npm_config_user_agent: 'pnpm/9.15.0 npm/? node/v22.13.0 linux x64' };
const yarn = { npm_config_user_agent: 'yarn/4.6.0 npm/? node/v22.13.0 linux x64' };
const bun = { npm_config_user_agent: 'bun/1.2.2 npm/? node/v22.13.0 linux x64' };

describe('how this assay is started again', () => {
  for (const [script, env, launcher] of [
    [local, npm, 'npx assay'],
    [local, {}, 'npx assay'],
    [local, { npm_config_user_agent: 'strange/1' }, 'npx assay'],
    [local, yarn, 'yarn assay'],
    [local, bun, 'bunx assay'],
    [local, { npm_execpath: '/opt/yarn/bin/yarn.js' }, 'yarn assay'],
    // The script that pnpm writes starts the file itself, and so do those of Windows.
    ['/home/ada/shop/node_modules/assay/bin/run.js', pnpm, 'pnpm exec assay'],
    [
      '/home/ada/shop/node_modules/.pnpm/assay@1/node_modules/assay/bin/run.js',
      pnpm,
      'pnpm exec assay',
    ],
    ['/home/ada/.npm/_npx/5fc1/node_modules/.bin/assay', npm, 'npx assay'],
    ['/home/ada/.cache/pnpm/dlx/x/node_modules/assay/bin/run.js', pnpm, 'pnpm dlx assay'],
    [
      '/home/ada/shop/.yarn/cache/assay-npm-1.zip/node_modules/assay/bin/run.js',
      yarn,
      'yarn assay',
    ],
    // Global, also where a script of the project starts it.
    ['/usr/local/bin/assay', {}, 'assay'],
    ['/usr/local/bin/assay', npm, 'assay'],
    ['/usr/lib/node_modules/assay/bin/run.js', npm, 'assay'],
    // A checkout, and another program.
    ['/home/ada/assay/bin/run.js', npm, 'assay'],
    ['/home/ada/shop/node_modules/.bin/mocha', npm, 'assay'],
  ] as const) {
    it(`${launcher} for ${script} of ${Object.values(env)[0] ?? 'nothing'}`, () => {
      expect(launcherOf({ script, env, cwd })).to.equal(launcher);
    });
  }

  it('is written where a text has a command, once', () => {
    for (const [text, typed] of [
      ['run it: assay run --resume 3f9a', 'run it: npx assay run --resume 3f9a'],
      ['assay sessions bless RUN FILE', 'npx assay sessions bless RUN FILE'],
      ['npx assay run, or assay show', 'npx assay run, or npx assay show'],
      ['the assay settings, in /opt/assay run.json', 'the assay settings, in /opt/assay run.json'],
    ] as const) {
      expect(asTyped(text, 'npx assay')).to.equal(typed);
    }
    expect(asTyped('assay run')).to.equal('assay run');
  });
});
