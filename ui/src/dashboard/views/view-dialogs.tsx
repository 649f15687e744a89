import { useEffect, useState } from 'react';
import { useDeleteView, useRenameView, useSaveView } from '../../api/actions.js';
import { useViews } from '../../api/queries.js';
import { useHeldKeys } from '../../app/held-keys.js';
import { notify } from '../../app/notices.js';
import { Button } from '../../components/controls/button.js';
import { ConfirmDialog, Dialog, DialogEnd } from '../../components/controls/dialog.js';
import { Field } from '../../components/controls/field.js';
import { Kbd } from '../../components/controls/kbd.js';
import { forgetUnsaved, readColumns } from '../table/columns/column-store.js';
import { chosenColumns } from '../table/columns/columns.js';
import { useView } from '../use-view.js';
import { savedQuery, type ViewDialog } from './saved-view.js';
import styles from './view-items.module.css';

/** Saves, renames or deletes a view. */
export function ViewDialogs({ dialog, onClose }: { dialog: ViewDialog; onClose: () => void }) {
  const [view, setView] = useView();
  const { data: views } = useViews();
  const save = useSaveView();
  const rename = useRenameView();
  const remove = useDeleteView();
  const { saved } = view;
  useHeldKeys(views === undefined);
  const isKnown = views?.some(({ name }) => name === saved) ?? false;
  // Promises, because callbacks are not called once the dialog is closed.
  const saveAs = (name: string) => {
    const columns = [...chosenColumns(readColumns())];
    const { name: _, ...replaces } = views?.find((one) => one.name === name) ?? { name };
    const known = 'query' in replaces ? replaces : null;
    save.mutateAsync({ name, query: savedQuery(view), columns, replaces: known }).then(() => {
      forgetUnsaved();
      setView((now) => ({ ...now, saved: name, isToOpen: false }), { replace: true });
      notify({ kind: 'info', text: `The view ${name} is saved.` });
    }, told);
  };
  // Saves an open view at once: its name is known.
  const isAtOnce = dialog === 'save' && isKnown;
  useEffect(() => {
    if (!isAtOnce || saved === undefined) return;
    onClose();
    saveAs(saved);
  });
  if (views === undefined || isAtOnce) return null;
  if (dialog === 'delete') {
    return (
      <ConfirmDialog
        isOpen
        title={`Delete the view ${saved}?`}
        action="Delete view"
        onClose={onClose}
        onConfirm={() => {
          if (saved === undefined) return;
          setView((now) => ({ ...now, saved: undefined }), { replace: true });
          remove.mutate(saved);
        }}
      >
        Its filters and columns are removed from the settings file. No result is deleted.
      </ConfirmDialog>
    );
  }
  const others = views.flatMap(({ name }) => (name === saved ? [] : [name]));
  if (dialog === 'rename' && saved !== undefined) {
    return (
      <NameDialog
        title="Rename the view"
        action="Rename"
        start={saved}
        onClose={onClose}
        noteOf={(name) => (others.includes(name) ? 'Another view has this name.' : undefined)}
        isRefused={(name) => others.includes(name)}
        onDone={(to) => {
          rename.mutateAsync({ name: saved, to }).then(() => {
            setView((now) => ({ ...now, saved: to }), { replace: true });
          }, told);
        }}
      />
    );
  }
  return (
    <NameDialog
      title="Save the view"
      action="Save"
      start=""
      onClose={onClose}
      noteOf={(name) =>
        views.some((other) => other.name === name)
          ? 'Replaces the view with this name.'
          : 'Filters, order, groups and columns; everyone who uses the settings file sees it.'
      }
      onDone={saveAs}
    />
  );
}

/** Errors are told in a notice. */
const told = () => {};

/** Asks for the name of a view. */
function NameDialog({
  title,
  action,
  start,
  noteOf,
  isRefused = () => false,
  onDone,
  onClose,
}: {
  title: string;
  action: string;
  start: string;
  noteOf: (name: string) => string | undefined;
  isRefused?: (name: string) => boolean;
  onDone: (name: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(start);
  const name = text.trim();
  const isBad = name.includes('"') || name === '.' || name === '..';
  const isFine = name !== '' && !isBad && !isRefused(name);
  return (
    <Dialog title={title} isOpen onClose={onClose} width={420}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isFine) return;
          onClose();
          if (name !== start) onDone(name);
        }}
      >
        <Field
          autoFocus
          label="Name of the view"
          placeholder="Name"
          maxLength={100}
          bad={isBad || isRefused(name)}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p className={styles.note} role="status">
          {isBad ? `A name cannot contain " or be dots.` : noteOf(name)}
        </p>
        <DialogEnd>
          <Button look="ghost" onClick={onClose}>
            Cancel <Kbd>esc</Kbd>
          </Button>
          <Button needsServer look="primary" type="submit" disabled={!isFine}>
            {action}
          </Button>
        </DialogEnd>
      </form>
    </Dialog>
  );
}
