import {
  Composite,
  CompositeItem,
  type CompositeItemProps,
  CompositeProvider,
  type CompositeProviderProps,
} from '@ariakit/react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.js';
import { passRateTitle, rateText } from '../figures/figures.js';
import { MiddleCut } from '../names/middle-cut.js';
import { ConfigName } from './config-name.js';
import styles from './run-option.module.css';

/** A list of runs: arrow keys move, Enter chooses. */
export function RunOptions({
  label,
  children,
  ...keys
}: { label: string; children: ReactNode } & Pick<
  CompositeProviderProps,
  'defaultActiveId' | 'focusLoop'
>) {
  return (
    <CompositeProvider orientation="vertical" {...keys}>
      <Composite role="listbox" aria-label={label} className={styles.list}>
        {children}
      </Composite>
    </CompositeProvider>
  );
}

/** A run in a list: a mark, its name, start time and pass rate. */
export function RunOption({
  run,
  mark,
  time,
  rate,
  className,
  ...item
}: {
  run: { readonly run_name: string; readonly config_name: string };
  mark: ReactNode;
  time: ReactNode;
  rate: ReactNode;
} & Omit<CompositeItemProps, 'children'>) {
  return (
    <CompositeItem role="option" className={classNames(styles.run, className)} {...item}>
      {mark}
      <span className={styles.name}>
        <MiddleCut text={run.run_name} />
        <ConfigName of={run} className="quiet" />
      </span>
      {time}
      {rate}
    </CompositeItem>
  );
}

/** The pass rate of a run, as on its page. */
export function RunRate({
  of,
}: {
  of: { readonly passed: number; readonly total: number; readonly estimate: number } | null;
}) {
  return (
    <span className="num" title={passRateTitle(of)}>
      {rateText(of?.estimate)}
    </span>
  );
}
