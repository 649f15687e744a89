import styles from './run-color.module.css';

const classes = [styles.a, styles.b, styles.c, styles.d];

/** The class that gives an element, and what is in it, the colour of a run as `--run`. */
export function runColor(run: number): string | undefined {
  return classes[run];
}
