import type { ReactNode } from 'react';

/** Paths of the status icons, 14 by 14, each with a different shape. */
export const statusPaths = {
  pass: <path d="M2.2 7.6 5.4 10.8 11.8 3.6" />,
  fail: (
    <>
      <rect fill="currentColor" stroke="none" x="1" y="1" width="12" height="12" rx="1.5" />
      <path stroke="var(--on-status)" d="m4.4 4.4 5.2 5.2m0-5.2-5.2 5.2" />
    </>
  ),
  error: (
    <>
      <path fill="currentColor" stroke="none" d="M7 .8 13.8 13H.2Z" />
      <path stroke="var(--on-status)" d="M7 5.2v3.4m0 2v.05" />
    </>
  ),
  flaky: (
    <>
      <circle cx="7" cy="7" r="5.4" strokeWidth="1.5" />
      <path fill="currentColor" stroke="none" d="M7 1.6a5.4 5.4 0 0 0 0 10.8Z" />
    </>
  ),
  running: <path d="M7 1.6A5.4 5.4 0 1 1 1.6 7" strokeWidth="2" />,
  pending: <circle cx="7" cy="7" r="5.4" strokeWidth="1.6" strokeDasharray="1.6 2.64" />,
  cancelled: (
    <>
      <circle cx="7" cy="7" r="5.4" strokeWidth="1.5" />
      <path d="m3.4 10.6 7.2-7.2" strokeWidth="1.5" />
    </>
  ),
  none: <path d="M4 7h6" />,
} satisfies Readonly<Record<string, ReactNode>>;

export type StatusShape = keyof typeof statusPaths;
