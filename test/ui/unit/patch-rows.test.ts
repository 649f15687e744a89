import { QueryClient } from '@tanstack/react-query';
import { expect } from 'chai';
import type { Run } from '../../../ui/src/api/client.js';
import { keys } from '../../../ui/src/api/keys.js';
import { patchRows, patchRun } from '../../../ui/src/api/patch-rows.js';
import type { Fold, LightRow, RunChange, TableRow } from '../../../ui/src/api/schema.js';

function row(index: number, status: LightRow['status'], fold?: Fold): TableRow {
  return {
    index,
    id: `a::${index}`,
    function: String(index),
    dataset: 'a',
    labels: [],
    status,
    passed: null,
    latency: null,
    scores: [],
    input: null,
    output: null,
    reference: null,
    error: null,
    annotation: '',
    has: [],
    cut: [],
    ...(fold && { fold }),
  };
}

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
  state: 'running',
  score_chips: [],
  is_paused: false,
  selected_total: 2,
  timestamp: 1234,
  started_at: 1225,
  updated_at: 1240,
  active: true,
  unfinished: 1,
  untold_results: 0,
};

function run(run_id: string): Run {
  const { timestamp, untold_results: _, ...rest } = change;
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
  it('puts changed rows into every page that has them, and leaves folds and other pages', () => {
    const cache = new QueryClient();
    const fold = { id: 'a', trials: 2 } as Fold;
    const page = keys.rowPage('one', 'fold=trials', 0);
    const other = keys.rowPage('one', '', 3);
    cache.setQueryData(page, { rows: [row(0, 'running', fold), row(1, 'pending')] });
    cache.setQueryData(other, { rows: [row(7, 'pending')] });
    const before = cache.getQueryData(other);
    cache.setQueryData(keys.indices('one', ''), { indices: [0, 1] });
    patchRows(cache, 'one', [row(0, 'completed')]);
    expect(cache.getQueryData(page)).to.deep.equal({
      rows: [row(0, 'completed', fold), row(1, 'pending')],
    });
    expect(cache.getQueryData(other)).to.equal(before);
    expect(cache.getQueryData(keys.indices('one', ''))).to.deep.equal({ indices: [0, 1] });
    cache.clear();
  });

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
