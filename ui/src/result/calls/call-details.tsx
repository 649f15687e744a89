import { type ReactNode, useContext, useMemo, useState } from 'react';
import type { Span } from '../../../../src/model/calls/model-call.js';
import type { StoredCall, StoredCalls } from '../../../../src/model/calls/stored-calls.js';
import type { Json } from '../../../../src/model/json.js';
import { Button } from '../../components/controls/button.js';
import { CopyButton, copyText } from '../../components/controls/copy-button.js';
import { count, counted, duration } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { FilteredRun, FilterLink } from '../../dashboard/filters/filter-link.js';
import { Conversation } from '../conversation/conversation.js';
import { readTraced } from '../conversation/read-messages.js';
import { Segments } from '../section.js';
import { JsonTree } from '../values/json-tree.js';
import { rawText } from '../values/value-kind.js';
import { RawView } from '../values/value-section.js';
import { visibleText } from '../values/visible-text.js';
import styles from './call-details.module.css';
import { curlOf } from './curl.js';
import { earlierOf, requestId, shortUrl, textsAt, wholeCall } from './stored-call.js';

/** An opened call: the new messages of its request, and the answer. */
export function CallDetails({ stored, call }: { stored: StoredCalls; call: StoredCall }) {
  const [look, setLook] = useState<'read' | 'raw'>('read');
  const { status, method, url, model_call } = call;
  const id = requestId(call);
  const hasCurl = model_call?.messages !== undefined && curlOf(stored, call) !== undefined;
  return (
    <div className={styles.details}>
      <div className={styles.head}>
        <span className="num">{status ?? 'no answer'}</span>
        <span className="mono cut" title={`${method} ${url}`}>
          {visibleText(`${method} ${shortUrl(url)}`)}
        </span>
        {id !== undefined && (
          <span className={styles.id}>
            <span className="mono faint cut">{visibleText(id)}</span>
            <CopyButton label="Copy request id" text={() => id} />
          </span>
        )}
        <span className={styles.space} />
        <Segments
          label="Call as"
          names={{ read: 'Read', raw: 'Raw' }}
          value={look}
          onChange={setLook}
        />
        {hasCurl && (
          <Button
            look="ghost"
            small
            icon="terminal"
            onClick={() => void copyText(curlOf(stored, call) ?? '', 'The command')}
          >
            Copy as curl
          </Button>
        )}
      </div>
      {look === 'raw' ? (
        <RawView text={rawText(wholeCall(stored, call))} />
      ) : model_call === undefined ? (
        <Unread call={call} />
      ) : (
        <div className={styles.pair}>
          <OfTarget role={call.role}>
            <RequestPart stored={stored} call={call} />
          </OfTarget>
          <AnswerPart stored={stored} call={call} />
        </div>
      )}
    </div>
  );
}

/** Its tools are links that filter, but for those of graders: a filter by tool is of what the target has called. */
function OfTarget({ role, children }: { role: string; children: ReactNode }) {
  const run = useContext(FilteredRun);
  return (
    <FilteredRun value={role.startsWith('evaluator:') ? undefined : run}>{children}</FilteredRun>
  );
}

/** A call whose bodies are not read. */
function Unread({ call }: { call: StoredCall }) {
  const { request_size: sent, response_size: got, headers = {} } = call;
  return (
    <>
      <p className={styles.parameters}>
        {sent !== undefined && <Parameter name="sent" value={counted(sent, 'byte')} />}
        {got !== undefined && <Parameter name="received" value={counted(got, 'byte')} />}
        {Object.entries(headers).map(([name, value]) => (
          <Parameter key={name} name={name} value={value} />
        ))}
      </p>
      <Remarks call={call} />
      <p className="faint">{unreadText(call)}</p>
    </>
  );
}

function unreadText({ program, unknown_model_call }: StoredCall): string {
  if (program !== undefined) {
    return 'A program that was started: what it calls is not seen. If it calls no model, add its name to not_models in assay.yaml.';
  }
  return unknown_model_call === undefined
    ? 'Not a call of a model: its bodies are not kept.'
    : 'It looks like a call of a model, and is not understood: its bodies are not kept. If it is none, add its host to not_models in assay.yaml.';
}

function RequestPart({ stored, call }: { stored: StoredCalls; call: StoredCall }) {
  const { messages, tools, parameters = {}, stream } = call.model_call ?? {};
  const earlier = useMemo(() => earlierOf(stored, call), [stored, call]);
  const known = earlier?.count ?? 0;
  const fresh = messages?.slice(known) ?? [];
  const earlierTexts = textsAt(stored, messages?.slice(0, known));
  const toolTexts = textsAt(stored, tools);
  return (
    <section aria-label="Request">
      <h3>
        Request{' '}
        {earlier !== undefined && <span>what is new since call {count(earlier.number)}</span>}
      </h3>
      {messages === undefined && <p className="faint">Its messages are not kept.</p>}
      {known > 0 && (
        <Fold title={counted(known, 'earlier message')} words={rolesText(earlierTexts)}>
          {() => <Messages messages={earlierTexts} />}
        </Fold>
      )}
      {fresh.length > 0 && <Messages messages={textsAt(stored, fresh)} />}
      {messages && fresh.length === 0 && (
        <p className="faint">{known > 0 ? 'Nothing new.' : 'No messages.'}</p>
      )}
      <p className={styles.parameters}>
        {Object.entries(parameters).map(([name, value]) => (
          <Parameter key={name} name={name} value={shortText(value)} />
        ))}
        {stream && <Parameter name="stream" value="true" />}
      </p>
      {toolTexts.length > 0 && (
        <Fold title={counted(toolTexts.length, 'tool')} words={toolTexts.map(toolName).join(', ')}>
          {() => <JsonTree value={toolTexts} label="Tools" />}
        </Fold>
      )}
    </section>
  );
}

function AnswerPart({ stored, call }: { stored: StoredCalls; call: StoredCall }) {
  const { start, first_token: first, model_call } = call;
  const { response_model: model, answer, finish_reason: finish, usage = {} } = model_call ?? {};
  const words = [
    first === undefined ? undefined : `first token ${duration(Math.max(0, first - start))}`,
    finish,
    usage.reasoning ? `${count(usage.reasoning)} of the tokens are reasoning` : undefined,
  ].filter((word) => word !== undefined);
  return (
    <section aria-label="Response">
      <h3>
        Response{' '}
        <span>
          {model !== undefined && (
            <>
              <FilterLink by="model" value={model}>
                {visibleText(model)}
              </FilterLink>
              {words.length > 0 && ', '}
            </>
          )}
          {visibleText(words.join(', '))}
        </span>
      </h3>
      {answer !== undefined && answer.length > 0 ? (
        <OfTarget role={call.role}>
          <Messages messages={textsAt(stored, answer)} />
        </OfTarget>
      ) : (
        call.error === undefined &&
        model_call?.error === undefined && <p className="faint">No answer is kept.</p>
      )}
      <Remarks call={call} />
    </section>
  );
}

/** Errors of a call, and parts that could not be recorded. */
function Remarks({ call }: { call: StoredCall }) {
  const { error, end, late, note, headers = {}, retry_of, model_call } = call;
  const after = headers['retry-after'];
  const remarks = [
    late === true && 'It ended after its attempt.',
    end === undefined && 'It had not ended when the attempt was stored.',
    model_call?.cut === true && 'The stream broke off: this is what had come.',
    after !== undefined && `The server asked to wait for ${after} s.`,
    retry_of !== undefined && `It repeats call ${retry_of}.`,
    note,
  ].filter((text) => typeof text === 'string');
  const errors = [...new Set([model_call?.error, error])].filter((text) => text !== undefined);
  return (
    <>
      {errors.map((text) => (
        <p key={text} className={styles.error}>
          {visibleText(text)}
        </p>
      ))}
      {remarks.map((text) => (
        <p key={text} className={styles.remark}>
          {visibleText(text)}
        </p>
      ))}
    </>
  );
}

function Messages({ messages }: { messages: readonly Json[] }) {
  const read = useMemo(() => readTraced(messages), [messages]);
  return read && <Conversation messages={read} isTight />;
}

/** Folded: what an earlier call has sent too, and tools. */
function Fold({
  title,
  words,
  children,
}: {
  title: string;
  words: string;
  children: () => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'down' : 'right'} small />
        {title} <span className="cut">{visibleText(words)}</span>
      </button>
      {isOpen && children()}
    </>
  );
}

function Parameter({ name, value }: { name: string; value: string }) {
  return (
    <span>
      {visibleText(name)} <b>{visibleText(value)}</b>
    </span>
  );
}

const longestParameter = 80;

function shortText(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longestParameter ? `${text.slice(0, longestParameter)}…` : text;
}

/** Number of messages by role: `1 system, 5 user`. */
function rolesText(messages: readonly Json[]): string {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const role = String((message as { role?: unknown } | null)?.role ?? 'message');
    counts.set(role, (counts.get(role) ?? 0) + 1);
  }
  return [...counts].map(([role, n]) => `${count(n)} ${role}`).join(', ');
}

/** The name of a tool definition, in the dialects of the providers. */
function toolName(tool: Json): string {
  type Named = { readonly name?: Json; readonly type?: Json } | undefined;
  const fields = tool as Named & Readonly<Record<'function' | 'toolSpec', Named>>;
  const name = fields?.name ?? fields?.function?.name ?? fields?.toolSpec?.name ?? fields?.type;
  return typeof name === 'string' ? name : 'tool';
}

/** An opened tool or span: its input and its outcome. */
export function SpanDetails({ span }: { span: Span }) {
  const { kind, name, role, end, error, attributes = {} } = span;
  const isTool = kind === 'tool';
  return (
    <div className={styles.details}>
      {isTool && (
        <p className={styles.head}>
          tool{' '}
          <OfTarget role={role}>
            <FilterLink by="tool" value={name}>
              {visibleText(name)}
            </FilterLink>
          </OfTarget>
        </p>
      )}
      {isTool ? (
        <div className={styles.pair}>
          <SpanPart title="Arguments" value={span.arguments} />
          {error === undefined && end !== undefined && (
            <SpanPart title="Result" value={span.result} />
          )}
        </div>
      ) : (
        <SpanPart title="Attributes" value={attributes} />
      )}
      {error !== undefined && <p className={styles.remark}>{visibleText(error)}</p>}
      {end === undefined && (
        <p className={styles.remark}>It had not ended when the attempt was stored.</p>
      )}
    </div>
  );
}

function SpanPart({ title, value }: { title: string; value: unknown }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {value === undefined ? (
        <p className="faint">None.</p>
      ) : typeof value === 'object' && value !== null ? (
        <JsonTree value={value} label={title} />
      ) : (
        <RawView text={rawText(value)} />
      )}
    </section>
  );
}
