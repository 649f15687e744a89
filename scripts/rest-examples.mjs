const json = `-H 'Content-Type: application/json'`;

/** How each operation is called with curl, in the order of the documentation; a test runs them all. */
export const restExamples = {
  rerun: `
curl -X POST "$ASSAY_URL/api/runs/rerun?wait=true"
curl -X POST "$ASSAY_URL/api/runs/rerun?wait=true" \\
  ${json} -d '{ "only": "changed" }'`,
  startRun: `
curl -X POST "$ASSAY_URL/api/runs/new?wait=true" \\
  ${json} -d '{ "run_name": "first three", "indices": [0, 1, 2] }'`,
  regrade: `
curl -X POST "$ASSAY_URL/api/runs/regrade?wait=true" \\
  ${json} -d '{ "indices": [0, 1] }'`,
  pause: `
curl -X POST "$ASSAY_URL/api/runs/rerun"
curl -X POST "$ASSAY_URL/api/runs/pause"`,
  resume: `curl -X POST "$ASSAY_URL/api/runs/resume"`,
  stop: `curl -X POST "$ASSAY_URL/api/runs/stop"`,
  nameNextRun: `
curl -X PUT "$ASSAY_URL/api/pending-run-name" \\
  ${json} -d '{ "run_name": "baseline" }'`,
  restart: `curl -X POST "$ASSAY_URL/api/server/restart"`,
  getChanges: `curl "$ASSAY_URL/api/runs/$RUN_ID/changes"`,
  getCalibration: `curl "$ASSAY_URL/api/runs/$RUN_ID/calibration"`,
  getActiveRun: `curl "$ASSAY_URL/results"`,
  getRun: `curl "$ASSAY_URL/api/runs/latest/data"`,
  getResult: `curl "$ASSAY_URL/api/runs/latest/results/0"`,
  getCalls: `curl "$ASSAY_URL/api/runs/latest/results/0/calls"`,
  editResult: `
curl -X PATCH "$ASSAY_URL/api/runs/latest/results/0" \\
  ${json} -d '{ "result": { "annotation": "right", "scores": [{ "key": "exact", "passed": true }] } }'`,
  editResults: `
curl -X PATCH "$ASSAY_URL/api/runs/latest/results" \\
  ${json} -d '{ "indices": [0, 1, 2], "annotation": "looked at" }'`,
  drawSample: `
curl -X POST "$ASSAY_URL/api/runs/latest/review/sample" \\
  ${json} -d '{ "size": 60 }'`,
  getReview: `curl "$ASSAY_URL/api/runs/latest/review?reviewer=ada"`,
  getReviewedResult: `curl "$ASSAY_URL/api/runs/latest/review/0?reviewer=ada"`,
  labelResult: `
curl -X POST "$ASSAY_URL/api/runs/latest/review/0" \\
  ${json} -d '{ "key": "exact", "verdict": "pass", "reviewer": "ada" }'`,
  getLabels: `curl "$ASSAY_URL/api/runs/latest/labels?format=csv"`,
  getRows: `curl "$ASSAY_URL/api/runs/$RUN_ID/rows?status=completed&sort=latency&order=desc&limit=5"`,
  getRowOutlines: `curl "$ASSAY_URL/api/runs/$RUN_ID/rows/outlines?sort=latency&order=desc"`,
  getRowGroups: `curl "$ASSAY_URL/api/runs/$RUN_ID/rows/groups?by=dataset&status=completed"`,
  getRowReasons: `curl "$ASSAY_URL/api/runs/$RUN_ID/rows/reasons"`,
  getRowFigures: `curl "$ASSAY_URL/api/runs/$RUN_ID/rows/figures?figure=latency&figure=score:exact"`,
  getRowFields: `curl "$ASSAY_URL/api/runs/$RUN_ID/rows/fields"`,
  getRowValues: `curl "$ASSAY_URL/api/runs/$RUN_ID/rows/values?of=metadata.tier"`,
  readSearchLine: `curl "$ASSAY_URL/api/search-line?text=metadata.tier%3Dpro%20refund"`,
  getRowIndices: `curl "$ASSAY_URL/api/runs/$RUN_ID/rows/indices?score=exact:passed"`,
  getRunCalls: `curl "$ASSAY_URL/api/runs/$RUN_ID/calls?sort=cost&order=desc&limit=5"`,
  compareRuns: `
BASE=$(curl "$ASSAY_URL/api/sessions/default/runs" |
  node -p 'JSON.parse(fs.readFileSync(0)).runs.at(-1).run_id')
curl "$ASSAY_URL/api/compare?run=$BASE&run=$RUN_ID"`,
  getPairs: `
BASE=$(curl "$ASSAY_URL/api/sessions/default/runs" |
  node -p 'JSON.parse(fs.readFileSync(0)).runs.at(-1).run_id')
curl "$ASSAY_URL/api/compare/rows?run=$BASE&run=$RUN_ID&change=!same&sort=change&limit=5"`,
  compareVariants: `
BASE=$(curl "$ASSAY_URL/api/sessions/default/runs" |
  node -p 'JSON.parse(fs.readFileSync(0)).runs.at(-1).run_id')
curl "$ASSAY_URL/api/matrix?run=$BASE&run=$RUN_ID"`,
  getMatrixRows: `
BASE=$(curl "$ASSAY_URL/api/sessions/default/runs" |
  node -p 'JSON.parse(fs.readFileSync(0)).runs.at(-1).run_id')
curl "$ASSAY_URL/api/matrix/rows?run=$BASE&run=$RUN_ID&differ=true&limit=5"`,
  comparePrompts: `
BASE=$(curl "$ASSAY_URL/api/sessions/default/runs" |
  node -p 'JSON.parse(fs.readFileSync(0)).runs.at(-1).run_id')
curl "$ASSAY_URL/api/compare/prompts?run=$BASE&run=$RUN_ID"`,
  compareTraces: `
BASE=$(curl "$ASSAY_URL/api/sessions/default/runs" |
  node -p 'JSON.parse(fs.readFileSync(0)).runs.at(-1).run_id')
curl "$ASSAY_URL/api/compare/traces?run=$BASE&run=$RUN_ID&parts=!nowhere&limit=5"`,
  getMatrixOutputs: `
BASE=$(curl "$ASSAY_URL/api/sessions/default/runs" |
  node -p 'JSON.parse(fs.readFileSync(0)).runs.at(-1).run_id')
ID=$(curl "$ASSAY_URL/api/matrix/rows?run=$BASE&run=$RUN_ID&limit=1" |
  node -p 'JSON.parse(fs.readFileSync(0)).cases[0].id')
curl --get "$ASSAY_URL/api/matrix/outputs?run=$BASE&run=$RUN_ID" --data-urlencode "id=$ID"`,
  exportJson: `curl -OJ "$ASSAY_URL/api/runs/latest/export/json"`,
  exportCsv: `curl -OJ "$ASSAY_URL/api/runs/latest/export/csv"`,
  exportOtlp: `curl -OJ "$ASSAY_URL/api/runs/latest/export/otlp?calls=true"`,
  exportJsonPart: `
curl "$ASSAY_URL/api/runs/latest/export/part/json" -o part.json ${json} -d '{ "visible_indices": [0, 2] }'`,
  exportCsvPart: `
curl "$ASSAY_URL/api/runs/latest/export/part/csv" -o part.csv ${json} -d '{
  "visible_indices": [0, 2], "visible_columns": ["eval", "output", "score:exact"] }'`,
  exportMarkdown: `
curl "$ASSAY_URL/api/runs/latest/export/markdown" -o report.md ${json} -d '{
  "visible_indices": [0, 1, 2],
  "visible_columns": ["eval", "input", "output", "scores"],
  "stats": {
    "total": 1000, "filtered": 3, "avgLatency": 0.001,
    "chips": [{ "key": "exact", "type": "ratio", "passed": 2, "total": 3 }]
  }
}'`,
  listSessions: `curl "$ASSAY_URL/api/sessions"`,
  listRuns: `curl "$ASSAY_URL/api/sessions/default/runs"`,
  getTrend: `curl "$ASSAY_URL/api/sessions/default/trend"`,
  listRunsInProgress: `curl "$ASSAY_URL/api/runs-in-progress"`,
  getRunStatus: `curl "$ASSAY_URL/api/runs/$RUN_ID"`,
  getActiveRunStatus: `curl "$ASSAY_URL/api/active-run"`,
  renameRun: `
curl -X PATCH "$ASSAY_URL/api/runs/$RUN_ID" \\
  ${json} -d '{ "run_name": "all of them" }'`,
  activateRun: `curl -X POST "$ASSAY_URL/api/runs/$RUN_ID/activate"`,
  deleteRun: `curl -X DELETE "$ASSAY_URL/api/runs/$RUN_ID"`,
  deleteSession: `curl -X DELETE "$ASSAY_URL/api/sessions/default"`,
  getSettings: `curl "$ASSAY_URL/api/config"`,
  getSettingsFile: `curl "$ASSAY_URL/api/config/file"`,
  saveSettings: `
curl -X PUT "$ASSAY_URL/api/config" \\
  ${json} -d '{ "concurrency": 4, "timeout": 60 }'`,
  listConfigs: `curl "$ASSAY_URL/api/configs"`,
  selectConfig: `
curl -X POST "$ASSAY_URL/api/configs/select" \\
  ${json} -d '{ "name": "default" }'`,
  listWorkers: `curl "$ASSAY_URL/api/workers"`,
  listViews: `curl "$ASSAY_URL/api/views"`,
  saveView: `
curl -X PUT "$ASSAY_URL/api/views/failing" \\
  ${json} -d '{ "query": "status=failed&by=dataset", "columns": ["output", "scores"] }'`,
  renameView: `
curl -X PATCH "$ASSAY_URL/api/views/failing" \\
  ${json} -d '{ "name": "failed" }'`,
  deleteView: `curl -X DELETE "$ASSAY_URL/api/views/failed"`,
  getEvents: `curl -N -m 2 "$ASSAY_URL/api/events"`,
  getHealth: `curl "$ASSAY_URL/api/health"`,
  getOpenApi: `curl "$ASSAY_URL/api/openapi.json"`,
};
