import { Empty } from '../components/empty.js';

/** The page of one result. `index` is what the URL says, which may be no number. */
export function ResultPage({ runId, index }: { runId: string; index: string }) {
  return (
    <main>
      <Empty title={`Result ${index} of ${runId}`} />
    </main>
  );
}
