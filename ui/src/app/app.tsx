import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  Component,
  type ErrorInfo,
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { EventConnection } from '../api/connection.js';
import { Button, IconButton } from '../components/controls/button.js';
import { copyText } from '../components/controls/copy-button.js';
import { Dialog } from '../components/controls/dialog.js';
import { Kbd } from '../components/controls/kbd.js';
import { loadable, overlays } from '../components/controls/loadable.js';
import { Sprite } from '../components/icons/icon.js';
import { Banner } from '../components/messages/banner.js';
import { Empty } from '../components/messages/empty.js';
import { DashboardPage } from '../dashboard/dashboard-page.js';
import { ConnectionLostProvider, useConnectionLost } from './connection-lost.js';
import { keepFocus } from './focus-places.js';
import { listenForHeldKeys } from './held-keys.js';
import { NoticeList } from './notices.js';
import { isReport } from './report-mode.js';
import styles from './shortcut-sheet.module.css';
import { listenForShortcuts, shortcuts, useShortcut } from './shortcuts.js';
import { flipTheme } from './theme.js';

/** Milliseconds for which a restored connection is announced. */
const shownFor = 6000;

/** Shows an error of the page instead of an empty page. */
class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack);
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.error) {
      this.setState({ error: undefined });
    }
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Empty
        title="This page broke"
        actions={
          <Button look="primary" icon="rerun" onClick={() => location.reload()}>
            Load again
          </Button>
        }
      >
        <p>{error.message}</p>
        <p>Nothing is lost: the server has saved the finished results.</p>
      </Empty>
    );
  }
}

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
const MatrixPage = lazy(async () => ({
  default: (await import('../matrix/matrix-page.js')).MatrixPage,
}));
const PromptsPage = lazy(async () => ({
  default: (await import('../prompts/prompts-page.js')).PromptsPage,
}));
const ReviewPage = lazy(async () => ({
  default: (await import('../review/review-page.js')).ReviewPage,
}));
const CalibrationPage = lazy(async () => ({
  default: (await import('../calibration/calibration-page.js')).CalibrationPage,
}));
const CallsPage = lazy(async () => ({
  default: (await import('../calls/calls-page.js')).CallsPage,
}));
const TrendsPage = lazy(async () => ({
  default: (await import('../trends/trends-page.js')).TrendsPage,
}));
const WorkersPage = lazy(async () => ({
  default: (await import('../workers/workers-page.js')).WorkersPage,
}));

interface AppProps {
  readonly cache: QueryClient;
  readonly connection: EventConnection;
  /** What is said above each page. */
  readonly notice?: string;
}

/** The whole page: banner, route, and overlays. */
export function App({ cache, connection, notice }: AppProps) {
  const [location] = useLocation();
  useEffect(listenForShortcuts, []);
  useEffect(listenForHeldKeys, []);
  useEffect(keepFocus, []);
  return (
    <QueryClientProvider client={cache}>
      <ConnectionLostProvider connection={connection}>
        <Sprite />
        <ConnectionBanner connection={connection} />
        {notice !== undefined && (
          <Banner icon="eye">
            <b>{notice}</b>
          </Banner>
        )}
        <ErrorBoundary resetKey={location}>
          <Suspense>
            <Switch>
              <Route path="/">
                <DashboardPage />
              </Route>
              <Route path="/runs/:runId/results/:index">
                {({ runId, index }) => <ResultPage runId={decode(runId)} index={index} />}
              </Route>
              {!isReport && (
                <Route path="/runs/:runId/review">
                  {({ runId }) => <ReviewPage runId={decode(runId)} />}
                </Route>
              )}
              <Route path="/runs/:runId/calibration">
                {({ runId }) => <CalibrationPage runId={decode(runId)} />}
              </Route>
              <Route path="/runs/:runId/calls">
                {({ runId }) => <CallsPage runId={decode(runId)} />}
              </Route>
              <Route path="/compare">
                <ComparePage />
              </Route>
              <Route path="/compare/prompts">
                <PromptsPage />
              </Route>
              <Route path="/matrix">
                <MatrixPage />
              </Route>
              <Route path="/sessions/:session/trends">
                {({ session }) => <TrendsPage session={decode(session)} />}
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
        <Palette />
        <CommonCommands />
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

const palette = loadable(() => import('./palette.js'));

/** Commands, results and runs by name, which `ctrl k` opens. */
function Palette() {
  const [isOpen, setOpen] = useState(false);
  const row = useRef<HTMLElement>(undefined);
  const chosen = useRef<() => void>(undefined);
  const content = palette.use(isOpen);
  const parts = overlays.use(isOpen);
  useShortcut('palette', () => {
    const { activeElement: at } = document;
    row.current =
      at instanceof HTMLElement && at.matches('[role=grid] [role=row]') ? at : undefined;
    setOpen(true);
  });
  // Once it is gone, and the focus is back where it was.
  useEffect(() => {
    const act = chosen.current;
    if (isOpen || act === undefined) return;
    chosen.current = undefined;
    const frame = requestAnimationFrame(() => requestAnimationFrame(act));
    return () => cancelAnimationFrame(frame);
  }, [isOpen]);
  if (!isOpen || content === undefined || parts === undefined) return null;
  return (
    <parts.DialogBox
      isOpen
      onClose={() => setOpen(false)}
      aria-label="Commands"
      backdrop={<div className={content.paletteBackdrop} />}
      className={content.paletteClass}
    >
      <content.PaletteContent
        row={row.current}
        onChoose={(act) => {
          chosen.current = act;
          setOpen(false);
        }}
      />
    </parts.DialogBox>
  );
}

/** What every page can do. */
function CommonCommands() {
  useShortcut('theme', flipTheme);
  useShortcut('copyLink', () => void copyText(location.href, 'The link'));
  return null;
}

/** Those that have a key. */
const sheetKeys = Object.values(shortcuts).filter(({ shown }) => shown.length > 0);

/** The list of shortcuts, which `?` opens. */
function ShortcutSheet() {
  const [isOpen, setOpen] = useState(false);
  useShortcut('help', () => setOpen(true));
  return (
    <Dialog
      title="Shortcuts"
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      closable={false}
      width={560}
    >
      <dl className={styles.keys}>
        {sheetKeys.map(({ shown, text }) => (
          <Fragment key={text}>
            <dt>
              {shown.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}

interface Props {
  /** Renders the children again when this changes. */
  readonly resetKey: string;
  readonly children: ReactNode;
}

/** Shows that the server is unreachable, when the next attempt is, and that the server is back. */
function ConnectionBanner({ connection }: { connection: EventConnection }) {
  const now = useSyncExternalStore(connection.subscribe, connection.read);
  const isLost = useConnectionLost();
  const [time, setTime] = useState(Date.now());
  useEffect(() => {
    if (now.state === 'back') {
      const timer = setTimeout(connection.acknowledge, shownFor);
      return () => clearTimeout(timer);
    }
    if (now.state !== 'lost') return;
    setTime(Date.now());
    const timer = setInterval(() => setTime(Date.now()), 500);
    return () => clearInterval(timer);
  }, [now, connection]);

  if (now.state === 'back') {
    return (
      <Banner
        icon="rerun"
        end={<IconButton icon="x" label="Close" small onClick={connection.acknowledge} />}
      >
        <b>Connected again.</b> What you see has been read again.
      </Banner>
    );
  }
  if (!isLost || now.state !== 'lost') return null;
  const ago = Math.max(1, Math.round((time - now.since) / 1000));
  const left = Math.max(0, Math.ceil((now.retryAt - time) / 1000));
  return (
    <Banner
      kind="bad"
      icon="plug"
      end={
        <Button small onClick={connection.open}>
          Try now
        </Button>
      }
    >
      <b>No connection for {ago} s.</b> What you see may be old.{' '}
      {left > 0 ? `Trying again in ${left} s.` : 'Trying again.'}
    </Banner>
  );
}
