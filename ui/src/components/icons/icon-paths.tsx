import type { ReactNode } from 'react';

/** Paths of the icons, 16 by 16, stroked in the colour of the text. */
export const iconPaths = {
  down: <path d="m3 5.5 5 5 5-5" />,
  up: <path d="M8 13V3M4 7l4-4 4 4" />,
  right: <path d="m5.5 3 5 5-5 5" />,
  left: <path d="m10.5 3-5 5 5 5" />,
  pencil: <path d="m3 13 .6-2.8L10.8 3l2.2 2.2-7.2 7.2Z" />,
  compare: <path d="M2.5 3h4.5v10H2.5zM9 3h4.5v10H9zM4 6h1.5M10.5 6H12M10.5 8.5H12" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.3" />
      <path d="m10.3 10.3 3.4 3.4" />
    </>
  ),
  filter: <path d="M2 4h12M4.5 8h7M6.8 12h2.4" />,
  columns: <path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />,
  export: <path d="M8 2v7.5M5 6.8 8 9.8l3-3M2.5 11v2.5h11V11" />,
  chart: (
    <>
      <path d="M2.5 2.5v11h11" />
      <path d="M5.6 10.4h.01M7.6 7.4h.01M10 8.8h.01M11.4 5h.01" strokeWidth="2.4" />
    </>
  ),
  gear: (
    <>
      <path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6" />
      <circle cx="10" cy="4.5" r="1.8" />
      <circle cx="6" cy="11.5" r="1.8" />
    </>
  ),
  machines: <path d="M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11Z" fill="currentColor" stroke="none" />
    </>
  ),
  more: <path d="M3 8h.01M8 8h.01M13 8h.01" strokeWidth="2.4" />,
  regrade: <path d="M2.5 8a5.5 5.5 0 0 1 9.6-3.7L13.5 6M13.5 2.5V6H10M5.2 8.6l2 2 3.6-4" />,
  rerun: <path d="M13.5 8a5.5 5.5 0 1 1-1.6-3.9L13.5 6M13.5 2.5V6H10" />,
  play: <path d="M4 2.5v11l9-5.5Z" fill="currentColor" stroke="none" />,
  pause: <path d="M5.5 3v10M10.5 3v10" strokeWidth="2.2" />,
  stop: <rect x="3.5" y="3.5" width="9" height="9" fill="currentColor" stroke="none" />,
  plus: <path d="M8 2.5v11M2.5 8h11" />,
  minus: <path d="M2.5 8h11" />,
  hand: (
    <>
      <circle cx="8" cy="5" r="2.6" />
      <path d="M2.8 13.5c.6-3 2.6-4.4 5.2-4.4s4.6 1.4 5.2 4.4" />
    </>
  ),
  flag: <path d="M4 14V2.5h8.5L10.4 5.7l2.1 3.3H4" />,
  view: <path d="M4 2.5h8v11l-4-3-4 3Z" />,
  lock: (
    <>
      <rect x="3" y="7" width="10" height="6.5" />
      <path d="M5 7V5a3 3 0 0 1 6 0v2" />
    </>
  ),
  eye: (
    <>
      <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  eyeOff: (
    <path d="M2.4 8.2C3.8 5.7 5.8 4.4 8 4.4s4.2 1.3 5.6 3.8c-1.4 2.5-3.4 3.8-5.6 3.8s-4.2-1.3-5.6-3.8ZM3 13.2 13 3" />
  ),
  skip: <path d="m3 3.5 6 4.5-6 4.5ZM12 3.5v9" />,
  undo: <path d="M3 6.5h6.2a3.6 3.6 0 0 1 0 7.2H6M5.8 3.5 2.8 6.5l3 3" />,
  plug: <path d="M5 2v3.5M11 2v3.5M3.5 5.5h9V8a4.5 4.5 0 0 1-9 0ZM8 12.5V15" />,
  x: <path d="m3.5 3.5 9 9m0-9-9 9" />,
  copy: <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />,
  check: <path d="m3 8.4 3.4 3.4L13 4.6" />,
  link: <path d="M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7" />,
  chain: (
    <path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.3-2.3a2.6 2.6 0 0 0-3.7-3.7L8 4.3M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.2 9.1a2.6 2.6 0 0 0 3.7 3.7L8 11.7" />
  ),
  file: <path d="M4 2.5h5.2L12 5.3v8.2H4zM9 2.5v3h3M6 9h4M8 7v4" />,
  trash: <path d="M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 9h5.8l.6-9" />,
  ext: <path d="M6.5 3.5h-4v10h10v-4M9 2.5h4.5V7M13.2 2.8 7.5 8.5" />,
  terminal: <path d="M2.5 3h11v10h-11zM5 6.2 7 8l-2 1.8M8.6 10h2.6" />,
  arrowDown: <path d="M8 3v10M4 9l4 4 4-4" />,
} satisfies Readonly<Record<string, ReactNode>>;

export type IconName = keyof typeof iconPaths;

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
