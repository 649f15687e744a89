import { Empty } from '../components/empty.js';

/** Two to four runs side by side. */
export function ComparePage() {
  return (
    <main>
      <Empty title="Compare" />
    </main>
  );
}
