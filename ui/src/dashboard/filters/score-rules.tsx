import { useMemo, useState } from 'react';
import type { RowFacets } from '../../api/schema.js';
import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { useView } from '../use-view.js';
import { place, withChoice } from '../view-state.js';
import { facetValues } from './facet-values.js';
import styles from './filter-panel.module.css';
import { filterText, parseScoreRule } from './filter-text.js';
import { Pill } from './pill.js';

/** For each score: passed, failed, and bounds of its value. */
export function ScoreRules({ facets }: { facets: RowFacets }) {
  const [view] = useView();
  const values = facetValues('score', facets, view.filters.score);
  const ends = useMemo(() => tellingEnds(facets.score.map(({ key }) => key)), [facets.score]);
  return (
    <div className={styles.rules}>
      {facets.score.map(({ key, valued }) => (
        <div key={key} className={styles.rule}>
          <span className="mono" title={key}>
            <MiddleCut text={key} end={ends.get(key)} />
          </span>
          <span>
            {values
              .filter(({ value }) => parseScoreRule(value).key === key)
              .map(({ value, count }) => (
                <Pill
                  key={value}
                  kind="score"
                  value={value}
                  count={count}
                  text={filterText('score', value).slice(key.length + 1)}
                />
              ))}
            {valued > 0 && <Bound scoreKey={key} />}
          </span>
        </div>
      ))}
    </div>
  );
}

/** A bound of the value of a score: at least, or at most. */
function Bound({ scoreKey }: { scoreKey: string }) {
  const [, setView] = useView();
  const [sign, setSign] = useState<'>=' | '<='>('<=');
  const [text, setText] = useState('');
  const number = Number(text.replace(',', '.'));
  const isBad = text !== '' && !Number.isFinite(number);
  const set = () => {
    if (text.trim() === '' || isBad) return;
    const value = `${scoreKey}:${sign}${number}`;
    setView((now) => withChoice(now, 'score', place(now.filters.score, value, 'in')));
    setText('');
  };
  const words = sign === '>=' ? 'at least' : 'at most';
  return (
    <>
      <Button
        small
        look="ghost"
        aria-label={`${scoreKey} ${words}; change`}
        onClick={() => setSign(sign === '>=' ? '<=' : '>=')}
      >
        {sign === '>=' ? '≥' : '≤'}
      </Button>
      <Field
        className={styles.field}
        label={`${scoreKey} ${words}`}
        inputMode="decimal"
        placeholder="value"
        bad={isBad}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={set}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set();
        }}
      />
    </>
  );
}
