import { useState } from 'react';
import { parseResultField, resultFieldForms } from '../../../../../src/model/result-field.js';
import { worstFirst } from '../../../../../src/model/scores/worst-first.js';
import { useRowFields } from '../../../api/row-queries.js';
import { classNames } from '../../../components/class-names.js';
import { Button } from '../../../components/controls/button.js';
import { DialogEnd } from '../../../components/controls/dialog.js';
import { Field } from '../../../components/controls/field.js';
import { MiddleCut } from '../../../components/names/middle-cut.js';
import { tellingEnds } from '../../../components/names/telling-end.js';
import { useShown } from '../../dashboard-state.js';
import styles from './added-columns.module.css';
import { readColumns, setColumns, useColumns } from './column-store.js';
import { type ColumnId, columnName, fieldOf, isAdded, toggleAdded } from './columns.js';

/** Maximum fields that the API shows. */
const mostFields = 20;

/** Chooses columns for scores, and for values in metadata, input, output and reference. */
export function AddedColumns() {
  const { run, figures } = useShown();
  const { order } = useColumns();
  const { data: fields = [] } = useRowFields(run.run_id);
  const [search, setSearch] = useState('');
  const [path, setPath] = useState('');
  const known = (ids: readonly ColumnId[]) =>
    ids.filter((id) => columnName(id).toLowerCase().includes(search.trim().toLowerCase()));
  const scores = known(
    worstFirst(figures?.summary.chips ?? []).map(({ key }): ColumnId => `score:${key}`),
  );
  const values = known([
    ...new Set([
      ...order.filter((id) => fieldOf(id) !== undefined),
      ...fields.map(({ field }): ColumnId => `field:${field}`),
    ]),
  ]);
  const ends = tellingEnds([...scores, ...values].map(columnName));
  const isFull = order.filter((id) => fieldOf(id) !== undefined).length >= mostFields;
  const isPath = parseResultField(path.trim()) !== undefined;
  const isBad = path.trim() !== '' && !isPath;
  const add = () => {
    const id: ColumnId = `field:${path.trim()}`;
    if (!isPath || order.includes(id)) return;
    setColumns(toggleAdded(readColumns(), id));
    setPath('');
  };
  const box = (id: ColumnId) => (
    <label key={id} className={styles.choice}>
      <input
        type="checkbox"
        checked={order.includes(id)}
        disabled={fieldOf(id) !== undefined && isFull && !order.includes(id)}
        onChange={() => setColumns(toggleAdded(readColumns(), id))}
      />
      <span className={classNames('mono', styles.name)} title={columnName(id)}>
        <MiddleCut text={columnName(id)} end={ends.get(columnName(id))} />
      </span>
    </label>
  );
  return (
    <>
      <Field
        icon="search"
        className={styles.search}
        label="Search columns"
        placeholder="Search scores and values"
        autoFocus
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className={styles.lists}>
        <fieldset>
          <legend>scores, the worst first</legend>
          {scores.map(box)}
          {scores.length === 0 && <span className="faint">none</span>}
        </fieldset>
        <fieldset>
          <legend>values</legend>
          {values.map(box)}
          {values.length === 0 && <span className="faint">none</span>}
        </fieldset>
      </div>
      <form
        className={styles.path}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Field
          label="Path of a value"
          placeholder="output.items[0].price"
          className="mono"
          bad={isBad}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!isPath || isFull}>
          Add
        </Button>
      </form>
      {isBad && <p className={styles.hint}>A path is one of {resultFieldForms}.</p>}
      <DialogEnd>
        <Button
          look="ghost"
          disabled={!order.some(isAdded)}
          onClick={() => {
            const now = readColumns();
            setColumns({ ...now, order: now.order.filter((id) => !isAdded(id)) });
          }}
        >
          Remove all of these
        </Button>
      </DialogEnd>
    </>
  );
}
