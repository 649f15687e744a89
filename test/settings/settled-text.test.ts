import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { loadSettings } from '../../src/settings/load-settings.js';
import { writeSettings } from '../../src/settings/write-settings.js';
import { refusal, temporaryFolder } from '../store/builders.js';

const whole = '# Ours\ntrials: 3\nconfigs:\n  fast:\n    timeout: 9\n';

describe('a settings file that an editor is writing', () => {
  let file: string;

  beforeEach(() => {
    file = join(temporaryFolder(), 'assay.yaml');
    writeFileSync(file, whole);
  });

  it('keeps all that the editor writes after it has truncated the file', async () => {
    writeFileSync(file, '');
    const written = writeSettings(file, { timeout: 7 });
    await setImmediate();
    writeFileSync(file, whole.slice(0, 18));
    appendFileSync(file, whole.slice(18));
    expect(await written).to.deep.equal({ changed: ['timeout'] });
    expect(readFileSync(file, 'utf8')).to.equal(`${whole}timeout: 7\n`);
  });

  it('is not replaced if it has changed since it was read', async () => {
    const edited = whole.replace('3', '8');
    const error = await refusal(() =>
      writeSettings(file, () => {
        writeFileSync(file, edited);
        return { timeout: 7 };
      }),
    );
    expect(error).to.include({ code: 'busy' });
    expect(error.message).to.contain(file).and.contain('changed meanwhile');
    expect(readFileSync(file, 'utf8')).to.equal(edited);
  });

  it('that does not exist yet, and is created meanwhile, is kept', async () => {
    const fresh = `${file}.new`;
    const error = await refusal(() =>
      writeSettings(fresh, () => {
        writeFileSync(fresh, whole);
        return { timeout: 7 };
      }),
    );
    expect(error).to.include({ code: 'busy' });
    expect(readFileSync(fresh, 'utf8')).to.equal(whole);
  });

  it('is not read as one without settings', async () => {
    writeFileSync(file, '');
    const loaded = loadSettings({ cwd: join(file, '..'), env: {} });
    await setImmediate();
    writeFileSync(file, whole);
    expect((await loaded).effective('trials').value).to.equal(3);
  });

  it('is taken as it is when it has been empty for long, and after writes of this process', async () => {
    writeFileSync(file, '');
    utimesSync(file, 1, 1);
    for (const timeout of [7, 8, 9]) await writeSettings(file, { timeout });
    expect(readFileSync(file, 'utf8')).to.equal('timeout: 9\n');
  });
});
