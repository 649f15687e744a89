import styles from './states.module.css';

/** Stands for what is being read; shows only when that takes a while. */
export function Reading({ what }: { what: string }) {
  return (
    <p role="status" className={styles.reading}>
      Reading {what} …
    </p>
  );
}
