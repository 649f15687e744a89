import { type RefObject, useMemo, useState } from 'react';
import { countOf } from '../../../../src/text/count-text.js';
import type { Score } from '../../api/schema.js';
import { useShortcut } from '../../app/shortcuts.js';
import { Button } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Kbd } from '../../components/controls/kbd.js';
import { count } from '../../components/figures/figures.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import { useEditor } from '../editing/edit-form.js';
import { Section } from '../section.js';
import { ScoreEditor } from './score-editor.js';
import { FoldedScore, ScoreLine } from './score-line.js';
import styles from './score-list.module.css';
import { isManyScores, scoreGroups } from './score-order.js';

/** With more scores there is a field that filters them. */
const mostUnfiltered = 10;

/** The scores of a result, failing first, each editable in place. */
export function ScoreList({
  scores,
  filter: field,
  title = 'Scores',
  ...result
}: {
  run: string;
  index: number;
  revision: string;
  scores: readonly Score[];
  title?: string;
  /** They are those of the attempt that counts, where that is another one. */
  isOfCounted?: boolean;
  /** Will be the field that filters them; absent for none. */
  filter?: RefObject<HTMLInputElement | null>;
}) {
  const [editor, edit] = useEditor();
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<string>();
  const groups = useMemo(() => scoreGroups(scores, filter), [scores, filter]);
  const ends = useMemo(() => tellingEnds(scores.map(({ key }) => key)), [scores]);
  const isMany = isManyScores(scores);
  const failing = scores.filter(({ passed }) => passed === false).length;
  const editorAt = (place: number | undefined) => (
    <li key={place ?? 'new'} className={styles.edited}>
      <ScoreEditor {...result} scores={scores} place={place} onClose={() => edit(undefined)} />
    </li>
  );
  return (
    <Section
      title={title}
      className={styles.section}
      outline={failing > 0 ? `${count(failing)} failed` : count(scores.length)}
      note={
        <>
          {count(scores.length)}
          {failing > 0 && (
            <>
              , <b className="c-fail">{count(failing)} failing</b>
            </>
          )}
        </>
      }
      tools={
        <Button look="ghost" small icon="plus" onClick={() => edit('new score')}>
          Add
        </Button>
      }
    >
      {field && scores.length > mostUnfiltered && (
        <ScoreFilter field={field} text={filter} count={scores.length} onChange={setFilter} />
      )}
      <ul className={isMany ? styles.lines : styles.list}>
        {groups.map(({ kind, scores: its }) => [
          isMany && kind !== 'failing' && (
            <li key={kind} className={styles.caption}>
              {kind === 'values' ? countOf(its.length, 'value') : `${count(its.length)} ${kind}`}
            </li>
          ),
          its.map(({ score, place }) => {
            const name = nameAt(scores, place);
            if (editor === name) return editorAt(place);
            const onEdit = () => edit(name);
            return isMany ? (
              <FoldedScore
                key={name}
                score={score}
                end={ends.get(score.key)}
                isOpen={open === name}
                onToggle={() => setOpen(open === name ? undefined : name)}
                onEdit={onEdit}
              />
            ) : (
              <ScoreLine key={name} score={score} onEdit={onEdit} />
            );
          }),
        ])}
        {editor === 'new score' && editorAt(undefined)}
      </ul>
      {scores.length === 0 && editor !== 'new score' && <p className="faint">No scores.</p>}
      {scores.length > 0 && groups.length === 0 && (
        <p className="faint">No score with this in its name or notes.</p>
      )}
    </Section>
  );
}

/** Filters by a part of the key or notes; `s` leads to it, Esc clears it and then leaves it. */
function ScoreFilter({
  field,
  text,
  count: all,
  onChange,
}: {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  count: number;
  onChange: (text: string) => void;
}) {
  useShortcut('scores', () => field.current?.focus());
  return (
    <Field
      ref={field}
      icon="filter"
      label="Filter scores"
      placeholder={`Filter ${count(all)} scores`}
      className={styles.filter}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (text === '') event.currentTarget.blur();
        else onChange('');
      }}
      end={<Kbd>s</Kbd>}
    />
  );
}

/** Keys of scores may repeat; then they are counted. */
function nameAt(scores: readonly Score[], place: number): `score ${string}` {
  const key = scores[place]?.key ?? '';
  return `score ${scores.slice(0, place).filter((score) => score.key === key).length} ${key}`;
}
