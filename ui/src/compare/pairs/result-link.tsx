import type { AnchorHTMLAttributes } from 'react';
import { Link, useLocation } from 'wouter';

/** Opens a result, from where the way back leads to this comparison. */
export function useOpenResult(): (run: string, index: number) => void {
  const [, navigate] = useLocation();
  return (run, index) => navigate(resultHref(run, index), { state: openedFrom() });
}

/** The same as a link. */
export function ResultLink({
  run,
  index,
  ...rest
}: { run: string; index: number } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) {
  return <Link href={resultHref(run, index)} state={openedFrom()} tabIndex={-1} {...rest} />;
}

function resultHref(run: string, index: number): string {
  return `/runs/${encodeURIComponent(run)}/results/${index}`;
}

function openedFrom() {
  return { comparison: `${location.pathname}${location.search}` };
}
