import {
  type ComponentPropsWithRef,
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from '../../components/class-names.js';
import { Button } from '../../components/controls/button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Fault } from '../../components/messages/fault.js';
import styles from './edit-form.module.css';
import { type EditedResult, hasDraft, type useResultEdit } from './use-result-edit.js';

/** The form of an edit: its fields, errors, and Save and Cancel; Ctrl or Cmd with Enter saves, Esc cancels. */
export function EditForm({
  edit: { close, save, isPending, fault, conflict },
  label,
  className,
  onSave = save,
  end,
  children,
}: {
  edit: Omit<ReturnType<typeof useResultEdit>, 'draft' | 'change'>;
  /** Its accessible name. */
  label?: string;
  className?: string | undefined;
  /** Default: saves the input. */
  onSave?: () => void;
  /** Shown at the end of the line of buttons. */
  end?: ReactNode;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  useFocusReturn(form);
  return (
    <form
      ref={form}
      className={classNames(styles.form, className)}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave();
        else if (event.key === 'Escape') close();
        else return;
        // Prevents the page from going back to the table.
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {children}
      <Fault text={fault} />
      {conflict && (
        <div className={styles.conflict}>
          <Fault text="This result was changed elsewhere since you began. Your text is not saved." />
          <Button small disabled={conflict.isPending} onClick={conflict.load}>
            Load the newer version
          </Button>
          <Button small disabled={conflict.isPending} onClick={conflict.overwrite}>
            Overwrite it
          </Button>
        </div>
      )}
      <div className={styles.end}>
        <Button look="primary" type="submit" disabled={isPending}>
          Save <Kbd>ctrl ↵</Kbd>
        </Button>
        <Button look="ghost" onClick={close}>
          Cancel <Kbd>esc</Kbd>
        </Button>
        {end}
      </div>
    </form>
  );
}

/** When a form goes that has the focus, gives that to the first button of its section, which opens it again. */
function useFocusReturn(form: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    const { current } = form;
    const section = current?.closest('section');
    return () => {
      if (!current?.contains(document.activeElement)) return;
      requestAnimationFrame(() => {
        // The focus may have gone back to the page as a whole by now.
        if (document.activeElement?.matches('body, main') !== true) return;
        section?.querySelector<HTMLElement>('header button:last-of-type, button')?.focus();
      });
    };
  }, [form]);
}

/** A text area that grows with its content. With `isFirst`, it has the focus, with the cursor at the end. */
export function TextArea({
  value,
  isFirst = false,
  onChange,
  ...rest
}: {
  value: string;
  isFirst?: boolean;
  onChange: (value: string) => void;
} & Omit<ComponentPropsWithRef<'textarea'>, 'onChange' | 'value' | 'ref'>) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isFirst || area.current === null) return;
    area.current.focus();
    const { length } = area.current.value;
    area.current.setSelectionRange(length, length);
  }, [isFirst]);
  return (
    <textarea
      ref={area}
      className={styles.area}
      rows={2}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...rest}
    />
  );
}

/** The edited part: a score by its name in the list, a new one, or the annotation. */
type Editor = `score ${string}` | 'new score' | 'annotation' | undefined;

const Context = createContext<readonly [Editor, (editor: Editor) => void]>([undefined, () => {}]);

/** Allows one open editor per result; use the result as `key`. An annotation of `begun` that was begun is open again. */
export function EditorProvider({
  begun,
  children,
}: {
  begun?: Omit<EditedResult, 'revision'>;
  children: ReactNode;
}) {
  const editor = useState<Editor>(() =>
    begun && hasDraft(begun, 'annotation') ? 'annotation' : undefined,
  );
  return <Context value={editor}>{children}</Context>;
}

/** The open editor, and a function to open another one. */
export const useEditor = () => useContext(Context);
