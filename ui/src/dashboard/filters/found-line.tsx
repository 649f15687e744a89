import { useQuery } from '@tanstack/react-query';
import { searchLineOptions } from '../../api/row-queries.js';
import type { SearchHit } from '../../api/schema.js';
import { counted } from '../../components/figures/figures.js';
import { useFigures } from '../dashboard-state.js';
import { useView } from '../use-view.js';
import styles from './found-line.module.css';

type Place = SearchHit['in'];

/** Where a word was found, before an excerpt. */
export const hitPlaces: Readonly<Record<Place, string>> = {
  note: 'note',
  error: 'error',
  annotation: 'annotation',
  output: 'output',
  input: 'input',
  reference: 'reference',
  answer: 'answer',
  call: 'tool call',
  message: 'message',
  log: 'log',
  metadata: 'metadata',
  trace: 'trace data',
  prompt: 'system prompt',
  name: 'name',
  dataset: 'dataset',
  label: 'label',
};

/** Where several were found, where the ending says too little. */
const counts: Partial<Readonly<Record<Place, string>>> = {
  note: 'note of scores',
  answer: 'answer of tools',
};

/** Below the filters: where the words of a search were found, and what looks like a mistyped condition. */
export function FoundLine() {
  const [{ search }] = useView();
  const { found = [] } = useFigures().summary;
  const { data } = useQuery({ ...searchLineOptions(search), enabled: /[=~<>:]/.test(search) });
  const { problems = [] } = data ?? {};
  if (search.trim() === '' || found.length + problems.length === 0) return null;
  return (
    <p className={styles.line}>
      {problems.map((problem) => (
        <b key={problem}>{problem}</b>
      ))}
      {found.length > 0 && (
        <span className="cut">
          <mark className={styles.words}>{search.trim()}</mark> in{' '}
          {found.map(({ in: place, results }) => countText(place, results)).join(', ')}
        </span>
      )}
    </p>
  );
}

/** `12 notes of scores`. */
function countText(place: Place, results: number): string {
  const [noun = '', ...of] = (counts[place] ?? hitPlaces[place]).split(' of ');
  if (noun === 'metadata' || noun === 'trace data')
    return `${noun} of ${counted(results, 'result')}`;
  return [counted(results, noun), ...of].join(' of ');
}
