import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { EventConnection } from '../api/connection.js';
import { Sprite } from '../components/icons/icon.js';
import { DashboardPage } from '../dashboard/dashboard-page.js';
import { ConnectionBanner } from './connection-banner.js';
import { ConnectionLostProvider } from './connection-lost.js';
import { ErrorBoundary } from './error-boundary.js';
import { keepFocus } from './focus-places.js';
import { listenForHeldKeys } from './held-keys.js';
import { NoticeList } from './notices.js';
import { ShortcutSheet } from './shortcut-sheet.js';
import { listenForShortcuts } from './shortcuts.js';

const ResultPage = lazy(async () => ({
  default: (await import('../result/result-page.js')).ResultPage,
}));
const UnknownPage = lazy(async () => ({
  default: (await import('./unknown-page.js')).UnknownPage,
}));
const RunNotices = lazy(async () => ({
  default: (await import('./run-notices.js')).RunNotices,
}));
const ComparePage = lazy(async () => ({
  default: (await import('../compare/compare-page.js')).ComparePage,
}));
const WorkersPage = lazy(async () => ({
  default: (await import('../workers/workers-page.js')).WorkersPage,
}));

/** The whole page: banner, route, and overlays. */
export function App({ cache, connection }: { cache: QueryClient; connection: EventConnection }) {
  const [location] = useLocation();
  useEffect(listenForShortcuts, []);
  useEffect(listenForHeldKeys, []);
  useEffect(keepFocus, []);
  return (
    <QueryClientProvider client={cache}>
      <ConnectionLostProvider connection={connection}>
        <Sprite />
        <ConnectionBanner connection={connection} />
        <ErrorBoundary resetKey={location}>
          <Suspense>
            <Switch>
              <Route path="/">
                <DashboardPage />
              </Route>
              <Route path="/runs/:runId/results/:index">
                {({ runId, index }) => <ResultPage runId={decode(runId)} index={index} />}
              </Route>
              <Route path="/compare">
                <ComparePage />
              </Route>
              <Route path="/workers">
                <WorkersPage />
              </Route>
              <Route>
                <UnknownPage />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
        <ShortcutSheet />
        <NoticeList />
        <Suspense>
          <RunNotices />
        </Suspense>
      </ConnectionLostProvider>
    </QueryClientProvider>
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
