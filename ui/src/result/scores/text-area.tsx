import { type ComponentPropsWithRef, useEffect, useRef } from 'react';
import styles from './score-editor.module.css';

/** Some lines to type into; it grows with them. With `isFirst` it has the focus, behind what is there. */
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
