import { useState } from 'react';
import type { BulkEdit } from '../../api/actions.js';
import { Button } from '../../components/controls/button.js';
import { Dialog, DialogEnd } from '../../components/controls/dialog.js';
import { Field } from '../../components/controls/field.js';
import { counted } from '../../components/figures/figures.js';
import styles from './selection-bar.module.css';

interface BulkDialogProps {
  /** The number of selected results. */
  readonly results: number;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** `words`: what has been done, before the number of results. False if it is not saved. */
  readonly onApply: (edit: BulkEdit, words: string) => Promise<boolean>;
}

/** Annotates the selected results. */
export function AnnotateDialog({ results, isOpen, onClose, onApply }: BulkDialogProps) {
  const [text, setText] = useState('');
  const annotation = text.trim();
  const apply = async () => {
    if (annotation !== '' && (await onApply({ annotation }, 'Annotated'))) setText('');
  };
  return (
    <Dialog
      title={`Annotate ${counted(results, 'result')}`}
      isOpen={isOpen}
      onClose={onClose}
      width={480}
    >
      <p>Replaces the annotation of each. You can undo it.</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void apply();
        }}
      >
        <textarea
          data-autofocus
          aria-label="Annotation"
          rows={4}
          className={styles.text}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void apply();
          }}
        />
        <DialogEnd>
          <Button
            look="ghost"
            onClick={() => void onApply({ annotation: null }, 'Removed the annotation of')}
          >
            Remove annotations
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={annotation === ''}>
            Annotate
          </Button>
        </DialogEnd>
      </form>
    </Dialog>
  );
}

/** Sets or clears a score of the selected results. */
export function ScoreDialog({
  results,
  keys,
  isOpen,
  onClose,
  onApply,
}: BulkDialogProps & { readonly keys: readonly string[] }) {
  const [key, setKey] = useState('');
  const [verdict, setVerdict] = useState<'passed' | 'failed' | 'value' | 'clear'>('passed');
  const [value, setValue] = useState('');
  const number = Number(value.trim().replace(',', '.'));
  const isValue = verdict !== 'value' || (value.trim() !== '' && Number.isFinite(number));
  const name = key.trim();
  const apply = () => {
    if (verdict === 'clear') void onApply({ clear: name }, `Cleared ${name} of`);
    else if (verdict === 'value')
      void onApply({ score: { key: name, value: number } }, `Set ${name} of`);
    else void onApply({ score: { key: name, passed: verdict === 'passed' } }, `Set ${name} of`);
  };
  const choices = {
    passed: 'passed',
    failed: 'failed',
    value: 'value',
    clear: 'clear it',
  } as const;
  return (
    <Dialog
      title={`Set a score of ${counted(results, 'result')}`}
      isOpen={isOpen}
      onClose={onClose}
      width={480}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '' && isValue) apply();
        }}
      >
        <Field
          autoFocus
          label="Key of the score"
          placeholder="Score"
          className="mono"
          list="bulk-score-keys"
          maxLength={200}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <datalist id="bulk-score-keys">
          {keys.map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
        <fieldset className={styles.choices}>
          <legend className="sr">Value</legend>
          {(Object.keys(choices) as (keyof typeof choices)[]).map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name="verdict"
                checked={verdict === choice}
                onChange={() => setVerdict(choice)}
              />
              {choices[choice]}
            </label>
          ))}
          {verdict === 'value' && (
            <Field
              label="Number"
              inputMode="decimal"
              className={styles.number}
              bad={value !== '' && !isValue}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          )}
        </fieldset>
        <DialogEnd>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={name === '' || !isValue}>
            {verdict === 'clear' ? 'Clear score' : 'Set score'}
          </Button>
        </DialogEnd>
      </form>
    </Dialog>
  );
}
