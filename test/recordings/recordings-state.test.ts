import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { recordingsState } from '../../src/recordings/recorded-calls.js';
import type { RecordingOptions } from '../../src/recordings/recording.js';

describe('recordingsState', () => {
  let folder: string;
  const write = (path: string, text = '{}') => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const options = (more: Partial<RecordingOptions> = {}) => ({
    capture: 'full' as const,
    recordings: { mode: 'offline' as const, folder, normalize: [], ...more },
  });
  const state = (more?: Partial<RecordingOptions>, file = 'a.eval.ts') =>
    recordingsState(file, options(more));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'state-'));
    write('a.eval.ts/e/x~1/0123-1.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const edits = {
    'of another case of the file': 'a.eval.ts/e/a~1/0123-1.json',
    'that several cases share': 'a.eval.ts/_shared/0123-1.json',
    'of an equal request': 'a.eval.ts/e/x~1/0123-2.json',
    'of the import': 'a.eval.ts/_import/0123-1.json',
  };
  for (const [what, path] of Object.entries(edits)) {
    it(`changes with a recording ${what} that appears, changes or goes`, () => {
      const states = [state()];
      write(path);
      states.push(state());
      write(path, '{ }');
      states.push(state());
      assert.equal(new Set(states).size, 3);
      rmSync(join(folder, path));
      assert.equal(state(), states[0]);
    });
  }

  it('of a file does not change with recordings of another one, but that of all does', () => {
    const before = [state(), state({}, '')];
    write('b.eval.ts/e/x~1/0123-1.json');
    assert.equal(state(), before[0]);
    assert.notEqual(state({}, ''), before[1]);
  });

  it('changes with each setting that decides which recording answers', () => {
    const settings: Partial<RecordingOptions>[] = [
      {},
      { mode: 'replay' },
      { normalize: ['$.id'] },
      { ignore: ['localhost'] },
      { hosts: ['localhost'] },
    ];
    const states = settings.map((one) => state(one));
    assert.equal(new Set(states).size, settings.length);
    const notModels = recordingsState('a.eval.ts', { ...options(), notModels: ['localhost'] });
    assert.notEqual(notModels, states[0]);
    assert.equal(state({ mode: 'record' }), state({ mode: 'replay' }));
  });

  it('is none where nothing can answer', () => {
    assert.equal(recordingsState('a.eval.ts', { capture: 'full' }), null);
    assert.equal(state({ mode: 'replay' }, 'b.eval.ts'), null);
    assert.notEqual(state({}, 'b.eval.ts'), null);
  });
});
