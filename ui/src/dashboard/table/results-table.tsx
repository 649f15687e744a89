import type { Run } from '../../api/client.js';
import { type RowFigures, useRows } from '../../api/row-queries.js';

/** The rows of a run. `query` is the view as the API wants it. */
export function ResultsTable({
  run,
  figures,
  query,
}: {
  run: Run;
  figures: RowFigures;
  query: string;
}) {
  const rows = useRows(run.run_id, query, 0, 30);
  const positions = Array.from({ length: Math.min(30, figures.count) }, (_, n) => n);
  return (
    <ul>
      {positions.map((position) => (
        <li key={position} className="cut mono">
          {rows.at(position)?.function} {rows.at(position)?.status} {rows.at(position)?.output}
        </li>
      ))}
    </ul>
  );
}
