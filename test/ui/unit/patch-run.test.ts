import { QueryClient } from '@tanstack/react-query';
import { expect } from 'chai';
import type { Run } from '../../../ui/src/api/client.js';
import { keys } from '../../../ui/src/api/keys.js';
import { patchRun } from '../../../ui/src/api/patch-run.js';
import type { RunChange } from '../../../ui/src/api/schema.js';

const change: RunChange = {
  run_id: 'one',
  session_name: 'default',
  run_name: 'renamed',
  config_name: 'default',
  total_evaluations: 2,
  total_functions: 1,
  total_passed: 1,
  total_errors: 0,
  total_with_scores: 1,
  average_latency: 1,
  summary: {
    pass_rate: { passed: 1, of: 1, low: 0, high: 1 },
    verdicts: { passed: 1, failed: 0, errors: 0, none: 0 },
    latency: { p50: 1, p95: 1 },
    repeats: 0,
    passes: 1,
    scores: [],
  },
  state: 'running',
  score_chips: [],
  pass_rate: { passed: 1, total: 1, estimate: 1, low: 0, high: 1 },
  is_paused: false,
  selected_total: 2,
  timestamp: 1234,
  started_at: 1225,
  updated_at: 1240,
  active: true,
  unfinished: 1,
  unlisted_results: 0,
};

function run(run_id: string): Run {
  const { timestamp, unlisted_results: _, pass_rate: __, ...rest } = change;
  return {
    ...rest,
    run_id,
    run_name: 'old',
    created_at: timestamp - 9,
    path: 'a',
    regradable: 0,
    view_only: null,
    process: null,
    executing_run_id: null,
    discovery: null,
  };
}

describe('patching what is kept of the server', () => {
  it('puts the summary of a run where it and the active run are kept', () => {
    const cache = new QueryClient();
    cache.setQueryData(keys.run('one'), run('one'));
    cache.setQueryData(keys.run('latest'), run('one'));
    patchRun(cache, change);
    for (const key of ['one', 'latest']) {
      const kept = cache.getQueryData<Run>(keys.run(key));
      expect([kept?.run_name, kept?.created_at, kept?.path]).to.deep.equal(['renamed', 1234, 'a']);
    }
    cache.clear();
  });

  it('another run that becomes the active one has the active run read again', () => {
    const cache = new QueryClient();
    cache.setQueryData(keys.run('latest'), run('two'));
    patchRun(cache, change);
    expect(cache.getQueryState(keys.run('latest'))?.isInvalidated).to.equal(true);
    expect(cache.getQueryData<Run>(keys.run('latest'))?.run_name).to.equal('old');
    cache.clear();
  });
});
