/** The text of an exported run with one result, with other fields of the run and of that result. */
export function exportedRun(run: object = {}, result: object = {}): string {
  const entry = {
    id: 'a.eval.ts::a',
    function: 'a',
    dataset: 'a',
    labels: [],
    result: {
      input: 1,
      output: 1,
      reference: null,
      scores: [],
      error: null,
      latency: 1,
      metadata: {},
      trace_data: {},
      status: 'completed',
      annotation: '',
      correction_history: [],
      ...result,
    },
  };
  const head = {
    run_id: 'aaaaaaaaaaaa',
    session_name: 's',
    run_name: 'x',
    created_at: 5,
    path: '.',
    config_name: 'default',
  };
  return JSON.stringify({ ...head, results: [entry], ...run });
}
