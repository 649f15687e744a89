import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isReport } from '../app/report-mode.js';
import { buttonClass } from '../components/controls/button.js';
import { reviewAddress } from '../result/addresses.js';

interface ReviewLinkProps {
  readonly run: string;
  readonly isButton?: boolean;
  readonly children: ReactNode;
}

/** Leads to the review of a run; a report has nobody who labels. */
export function ReviewLink({ run, isButton = false, children }: ReviewLinkProps) {
  if (isReport) return null;
  const look = isButton && { className: buttonClass({ look: 'primary' }) };
  return (
    <Link href={reviewAddress(run)} {...look}>
      {children}
    </Link>
  );
}
