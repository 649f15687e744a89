import { type AnchorHTMLAttributes, createContext, useContext } from 'react';
import { Link, useLocation } from 'wouter';
import { pageAddress } from '../../browser/page-address.js';

/** The position of a pair in the list, for the links in it. */
export const PairPosition = createContext(0);

/** Opens a result of the pair at a position, with a way back to this comparison. */
export function useOpenResult(): (run: string, index: number, position: number) => void {
  const [, navigate] = useLocation();
  return (run, index, position) =>
    navigate(resultHref(run, index), { state: openedFrom(position) });
}

/** A link that opens a result. */
export function ResultLink({
  run,
  index,
  ...rest
}: { run: string; index: number } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) {
  const state = openedFrom(useContext(PairPosition));
  return <Link href={resultHref(run, index)} state={state} tabIndex={-1} {...rest} />;
}

function resultHref(run: string, index: number): string {
  return `/runs/${encodeURIComponent(run)}/results/${index}`;
}

function openedFrom(position: number) {
  return { comparison: pageAddress(), position };
}
