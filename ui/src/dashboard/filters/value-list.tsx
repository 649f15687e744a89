import { useState } from 'react';
import type { RowFacets } from '../../api/schema.js';
import { Field } from '../../components/field.js';
import { useView } from '../use-view.js';
import { facetValues } from './facet-values.js';
import styles from './filter-panel.module.css';
import { groupNames } from './filter-text.js';
import { Pill } from './pill.js';

/** From this many values on, there is a search field. */
const searchedFrom = 15;

/** All datasets or labels, with a search field if there are many. */
export function ValueList({ kind, facets }: { kind: 'dataset' | 'label'; facets: RowFacets }) {
  const [text, setText] = useState('');
  const [view] = useView();
  const values = facetValues(kind, facets, view.filters[kind]);
  const isCut = facets.cut.includes(kind);
  const found = values.filter(({ value }) => value.toLowerCase().includes(text.toLowerCase()));
  if (values.length === 0) return null;
  return (
    <fieldset className={styles.section}>
      <legend>{groupNames[kind]}</legend>
      <div className={styles.values}>
        {values.length >= searchedFrom && (
          <Field
            className={styles.search}
            icon="search"
            label={`Search ${groupNames[kind]}s`}
            placeholder={`Search ${values.length} ${groupNames[kind]}s`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <div className={styles.list}>
          {found.map(({ value, count }) => (
            <Pill key={value} kind={kind} value={value} count={count} />
          ))}
          {found.length === 0 && <span className={styles.note}>none is called so</span>}
        </div>
        {isCut && <span className={styles.note}>only the largest {values.length} are listed</span>}
      </div>
    </fieldset>
  );
}
