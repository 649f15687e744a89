import type { Span } from '../../../../src/model/calls/model-call.js';
import type { StoredCalls } from '../../../../src/model/calls/stored-calls.js';
import { isModelCall } from '../../../../src/model/calls/usage.js';
import { messageOf } from '../../api/problem.js';
import { useCalls } from '../../api/queries.js';
import type { Usage } from '../../api/schema.js';
import { useShortcut } from '../../app/shortcuts.js';
import { useNarrow } from '../../browser/use-media.js';
import { Button } from '../../components/controls/button.js';
import { CopyButton } from '../../components/controls/copy-button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { Menu, MenuItem } from '../../components/controls/menu.js';
import { count, counted, duration } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { PromptsBefore } from '../../prompts/prompts-before.js';
import { Conversation } from '../conversation/conversation.js';
import { readTraced } from '../conversation/read-messages.js';
import { FoldedSection, Segments } from '../section.js';
import { rawText } from '../values/value-kind.js';
import { RawView, useLook } from '../values/value-section.js';
import styles from './calls.module.css';
import { conversationOf } from './stored-call.js';
import { Timeline } from './timeline.js';
import { hasModelCalls, type TimelineOrder, type Used } from './timeline-rows.js';

type Look = 'timeline' | 'conversation' | 'raw';

/** The HTTP calls and spans of a result. `hasMessages`: the evaluation has given a conversation of its own, which is shown elsewhere. */
export function CallsSection({
  run,
  index,
  session,
  usage,
  origin,
  hasCalls,
  output,
  hasMessages,
}: {
  run: string;
  index: number;
  session: string;
  /** False when there are neither calls nor spans. */
  hasCalls: boolean;
  output: unknown;
  hasMessages: boolean;
} & Used) {
  const { data: calls, error, refetch } = useCalls(run, index, hasCalls);
  if (!hasCalls) return null;
  if (calls === undefined) {
    return (
      <FoldedSection title="Calls" note={usage && callsText(usage)}>
        {error === null ? (
          <p className="faint" aria-busy="true">
            Reading the calls …
          </p>
        ) : (
          <p>
            {messageOf(error)} <Button onClick={() => void refetch()}>Try again</Button>
          </p>
        )}
      </FoldedSection>
    );
  }
  const isEmpty = calls.calls.length + (calls.spans?.length ?? 0) === 0;
  if (isEmpty && !calls.unreadable) return null;
  return <ReadCalls {...{ calls, usage, origin, output, hasMessages, run, session }} />;
}

function ReadCalls({
  calls,
  usage,
  origin,
  output,
  hasMessages,
  run,
  session,
}: {
  calls: StoredCalls;
  output: unknown;
  hasMessages: boolean;
  run: string;
  session: string;
} & Used) {
  const [wanted, choose] = useLook<Look>('Calls', 'timeline');
  const [kept, setOrder] = useLook<TimelineOrder>('Calls by', 'start');
  const orders = hasModelCalls(calls) ? allOrders : timeOrders;
  const order = orders.find((one) => one === kept) ?? 'start';
  const isNarrow = useNarrow();
  const note = callsText(usage, calls.spans, (of) => timesText(calls, of));
  const said = hasMessages ? undefined : conversationOf(calls);
  const messages = readTraced(said);
  const looks = messages === undefined ? (['timeline', 'raw'] as const) : allLooks;
  const look = wanted === 'conversation' && messages === undefined ? 'timeline' : wanted;
  useShortcut('calls', () => {
    const at = (looks as readonly Look[]).indexOf(look);
    choose(looks[(at + 1) % looks.length] ?? 'timeline');
  });
  const sorter = look === 'timeline' && (
    <Menu
      label="Calls by"
      align="end"
      button={{
        className: styles.order,
        children: (
          <>
            {!isNarrow && 'by '}
            <strong>{order}</strong> <Icon name="down" small />
          </>
        ),
      }}
    >
      {orders.map((one) => (
        <MenuItem key={one} current={one === order} onClick={() => setOrder(one)}>
          {orderNames[one]}
        </MenuItem>
      ))}
    </Menu>
  );
  return (
    <FoldedSection
      title="Calls"
      outline={callsText(usage, calls.spans).split(', ')[0]}
      note={!isNarrow && note}
      tools={
        <>
          {!isNarrow && sorter}
          {!isNarrow && <PromptsBefore run={run} session={session} />}
          <Segments
            label="Calls as"
            names={Object.fromEntries(looks.map((one) => [one, lookNames[one]]))}
            value={look}
            onChange={choose}
          />
          <span className={styles.key}>
            <Kbd>m</Kbd>
          </span>
          <CopyButton label="Copy calls" text={() => rawText(calls)} />
        </>
      }
    >
      {isNarrow && (
        <p className={styles.note}>
          {note} {sorter} <PromptsBefore run={run} session={session} />
        </p>
      )}
      {calls.cut && (
        <p className={styles.cutNote}>
          The texts of these calls were too long to be kept whole: the middle of long ones is
          missing.
        </p>
      )}
      {calls.unreadable && (
        <p className={styles.cutNote}>
          The line of the log with these calls is damaged: calls are missing.
        </p>
      )}
      {look === 'timeline' && (
        <Timeline key={order} stored={calls} usage={usage} origin={origin} order={order} />
      )}
      {look === 'conversation' && messages && <Conversation messages={messages} output={output} />}
      {look === 'raw' && <RawView text={rawText(calls)} />}
    </FoldedSection>
  );
}

const timeOrders = ['start', 'time'] as const satisfies readonly TimelineOrder[];
const allOrders = [...timeOrders, 'tokens', 'cost'] as const;
const orderNames: Readonly<Record<TimelineOrder, string>> = {
  start: 'Start, by who made them',
  time: 'Time, longest first',
  tokens: 'Tokens, most first',
  cost: 'Cost, highest first',
};

const allLooks = ['timeline', 'conversation', 'raw'] as const;
const lookNames: Readonly<Record<Look, string>> = {
  timeline: 'Timeline',
  conversation: 'Conversation',
  raw: 'Raw',
};

/** `7 to models, 3 to tools, 4 spans, 2 others`. `timeOf`: what follows the calls of models and of tools. */
function callsText(
  usage: Usage | undefined,
  spans: readonly Span[] = [],
  timeOf: (of: 'models' | 'tools') => string = () => '',
): string {
  const tools = spans.filter(({ kind }) => kind === 'tool').length;
  const { calls = 0, other_calls: others = 0, programs = 0 } = usage ?? {};
  const toTools = tools === 1 ? '1 to a tool' : `${count(tools)} to tools`;
  const ofSpans = [
    ...(tools === 0 ? [] : [toTools + timeOf('tools')]),
    ...(spans.length === tools ? [] : [counted(spans.length - tools, 'span')]),
    ...(programs === 0 ? [] : [counted(programs, 'program')]),
  ];
  if (others + calls === 0 && ofSpans.length > 0) {
    return [...ofSpans, ...(programs === 0 ? ['none to a model'] : [])].join(', ');
  }
  if (calls === 0) return [`${counted(others, 'call')}, none to a model`, ...ofSpans].join(', ');
  return [
    (calls === 1 ? '1 to a model' : `${count(calls)} to models`) + timeOf('models'),
    ...ofSpans,
    ...(others === 0 ? [] : [counted(others, 'other')]),
  ].join(', ');
}

/** `: 3.52 s`, the times of all added up, though some may have run at once; a lower bound while some have not ended. */
function timesText({ calls, spans = [] }: StoredCalls, of: 'models' | 'tools'): string {
  const all =
    of === 'models'
      ? calls.filter((call) => isModelCall(call) && call.replayed !== true)
      : spans.filter(({ kind }) => kind === 'tool');
  if (all.length === 0) return '';
  const took = all.map(({ start, end }) => (end === undefined ? 0 : Math.max(0, end - start)));
  const bound = all.some(({ end }) => end === undefined) ? '≥ ' : '';
  return ` ${bound}${duration(took.reduce((sum, one) => sum + one, 0))}`;
}
