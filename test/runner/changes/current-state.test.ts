import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingsState } from '../../../src/recordings/recorded-calls.js';
import type { RecordingMode } from '../../../src/recordings/recording.js';
import { CurrentState } from '../../../src/runner/changes/current-state.js';
import type { RunnerDependencies } from '../../../src/runner/runner-dependencies.js';

describe('the state of recordings today', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'today-'));
    mkdirSync(join(folder, 'a.eval.ts'));
    writeFileSync(join(folder, 'a.eval.ts', '0123-1.json'), '{}');
  });
  after(() => rmSync(folder, { recursive: true }));

  const callsOf = (mode: RecordingMode) => ({
    capture: 'full' as const,
    ...(mode !== 'off' && { recordings: { mode, folder, normalize: [] } }),
  });

  // What a run ended with, and what would answer now: true where its results may stay.
  const expected: [RecordingMode, RecordingMode, boolean][] = [
    ['off', 'off', true],
    ['off', 'record-all', true],
    ['off', 'replay', false],
    ['off', 'offline', false],
    ['record', 'off', true],
    ['record', 'record-all', true],
    ['record', 'replay', true],
    ['record', 'offline', false],
    ['offline', 'off', false],
    ['offline', 'record', false],
    ['offline', 'offline', true],
  ];
  for (const [then, now, isSame] of expected) {
    it(`is ${isSame ? 'the same' : 'another'} after a run with ${then}, with ${now}`, () => {
      const hash = recordingsState('a.eval.ts', callsOf(then));
      const state = new CurrentState({} as RunnerDependencies, callsOf(now));
      const stored = { kind: 'recordings' as const, name: 'a.eval.ts', hash };
      const reads = hash === null ? state.unstoredRecordings('a.eval.ts') : [stored];
      assert.equal(
        reads.every((read) => state.hashOf(read, 'run') === read.hash),
        isSame,
      );
    });
  }
});

describe('the state of variables today', () => {
  it('is that of this process, where evaluations have its environment', () => {
    const runner = { cwd: '/', env: { MODEL: 'large' } } as unknown as RunnerDependencies;
    const read = { kind: 'variable' as const, name: 'MODEL', hash: 'of a worker' };
    assert.notEqual(new CurrentState(runner).hashOf(read, 'run'), read.hash);
    assert.equal(new CurrentState(runner, undefined, false).hashOf(read, 'run'), read.hash);
  });
});
