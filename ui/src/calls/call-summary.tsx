import { Link } from 'wouter';
import {
  partTexts,
  renderAllTokens,
  renderCalls,
  renderCost,
  renderTokens,
  unknownTokensTexts,
} from '../../../src/text/usage-text.js';
import type { ListedCall } from '../api/schema.js';
import { CostSplit, CostSwatch } from '../components/figures/cost-split.js';
import { count, counted, duration, seconds } from '../components/figures/figures.js';
import { usageByGroup } from '../components/figures/usage-totals.js';
import { nameParts } from '../components/names/evaluation-name.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { toggleOnly } from '../dashboard/view-state.js';
import { visibleText } from '../result/values/visible-text.js';
import { caseName, useCallLink } from './call-link.js';
import styles from './call-summary.module.css';
import { modelCost } from './call-words.js';
import type { CallsSummary, CallsView, SetCallsView } from './calls-view.js';

interface SummaryProps {
  readonly summary: CallsSummary;
  readonly run: string;
  readonly view: CallsView;
  readonly setView: SetCallsView;
}

/** What the matching calls cost and took, by who made them, by model and by tool. */
export function CallSummary(props: SummaryProps) {
  return (
    <section className={styles.summary} aria-label="Summary of the calls that match">
      <Totals {...props} />
      <Models {...props} />
      {props.summary.tools.length > 0 && <Tools {...props} />}
    </section>
  );
}

function Totals({ summary: { usage, taken, run_usage: whole } }: SummaryProps) {
  const groups = usage === undefined ? [] : usageByGroup(usage);
  const { input, output, cache_read: cached } = usage ?? {};
  return (
    <div className={styles.totals}>
      <p className={styles.rate}>
        <b>
          {usage === undefined ? '$0.00' : usage.cost === null ? 'Not known' : renderCost(usage)}
        </b>
        <span>
          {usage === undefined
            ? '0 calls'
            : `${renderCalls(usage)} ${usage.calls === 1 ? 'call' : 'calls'}`}
        </span>
      </p>
      <p className={styles.split}>
        <CostSplit groups={groups} />
      </p>
      <dl className={styles.spent}>
        {groups.map(({ role, totals }, n) => (
          <div key={role}>
            <dt>
              <CostSwatch part={n} />
              {role}
            </dt>
            <dd>{count(totals.calls)}</dd>
            <dd>{totals.cost === null ? 'not known' : renderCost(totals)}</dd>
          </div>
        ))}
        {taken && (
          <div className={styles.quiet} title="Replayed, or of another run: not spent by this run">
            <dt>
              <i className={styles.hollow} />
              not spent here
            </dt>
            <dd>{count(taken.calls)}</dd>
            <dd>({taken.cost === null ? 'not known' : renderCost(taken)})</dd>
          </div>
        )}
      </dl>
      {usage && (input !== undefined || output !== undefined) && (
        <p className={styles.foot} title={`${renderAllTokens(usage)} tokens`}>
          {input !== undefined && (
            <>
              <b>{renderTokens(input)}</b> in
            </>
          )}
          {cached !== undefined && cached > 0 && `, ${renderTokens(cached)} cached`}
          {output !== undefined && (
            <>
              , <b>{renderTokens(output)}</b> out
            </>
          )}
        </p>
      )}
      {usage &&
        unknownTokensTexts(usage).map((text) => (
          <p key={text} className={styles.foot}>
            {text}
          </p>
        ))}
      {whole &&
        partTexts(whole).map((text) => (
          <p key={text} className={styles.foot}>
            Not listed: {text.replace(' of it', '')}
          </p>
        ))}
    </div>
  );
}

function Models({ summary, run, view, setView }: SummaryProps) {
  const { models, dearest, slowest } = summary;
  const dear = Math.max(...models.map(({ usage }) => usage?.cost ?? 0));
  const slow = Math.max(...models.map((one) => one.slowest ?? 0));
  return (
    <div className={styles.models}>
      <table className={styles.table} aria-label="By model">
        <thead>
          <tr>
            <th>by model</th>
            <th className={styles.bar}>
              <span className="sr">share of the cost</span>
            </th>
            <th>$</th>
            <th>calls</th>
            <th className={styles.more}>failed</th>
            <th className={styles.more}>cached</th>
            <th className={styles.more}>in</th>
            <th className={styles.more}>out</th>
            <th className={styles.more}>first p50</th>
            <th>time p50</th>
            <th>slowest</th>
          </tr>
        </thead>
        <tbody>
          {models.slice(0, mostRows).map((one) => {
            const { model, usage, taken, first_p50: first, p50 } = one;
            const its = usage ?? taken;
            return (
              <tr key={model}>
                <Key
                  text={model}
                  isOn={view.filters.model.include.includes(model)}
                  onClick={() =>
                    setView((now) => ({
                      ...now,
                      filters: { ...now.filters, model: toggleOnly(now.filters.model, model) },
                    }))
                  }
                />
                <ShareCell share={(usage?.cost ?? 0) / (dear || 1)} />
                <td className={usage?.cost ? styles.strong : undefined}>{modelCost(one)}</td>
                <td>{its && (usage ? count(its.calls) : `(${count(its.calls)})`)}</td>
                <td className={styles.more}>
                  {usage?.failed !== undefined && count(usage.failed)}
                </td>
                <td className={styles.more}>{tokens(its?.cache_read)}</td>
                <td className={styles.more}>{tokens(its?.input)}</td>
                <td className={styles.more}>{tokens(its?.output)}</td>
                <td className={styles.more}>{first !== null && seconds(first)}</td>
                <td>{p50 !== null && seconds(p50)}</td>
                <td className={one.slowest === slow && slow > 0 ? styles.strong : undefined}>
                  {one.slowest !== null && seconds(one.slowest)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {models.length > mostRows && (
        <p className={styles.foot}>and {counted(models.length - mostRows, 'more model')}</p>
      )}
      {(dearest || slowest) && (
        <p className={styles.ends}>
          {dearest && (
            <End
              word="dearest"
              figure={renderCost({ cost: dearest.cost })}
              of={dearest}
              run={run}
            />
          )}
          {slowest?.latency !== undefined && (
            <End word="slowest" figure={duration(slowest.latency)} of={slowest} run={run} />
          )}
        </p>
      )}
    </div>
  );
}

/** Rows of a table of the summary. */
const mostRows = 8;

function Tools({ summary: { tools }, view, setView }: SummaryProps) {
  const longest = Math.max(...tools.map(({ time }) => time));
  const slow = Math.max(...tools.map((one) => one.slowest ?? 0));
  return (
    <div className={styles.tools}>
      <table className={styles.table} aria-label="By tool">
        <thead>
          <tr>
            <th>by tool</th>
            <th className={styles.bar}>
              <span className="sr">share of the time</span>
            </th>
            <th>time</th>
            <th>calls</th>
            <th className={styles.more}>not ok</th>
            <th>p50</th>
            <th>slowest</th>
          </tr>
        </thead>
        <tbody>
          {tools.slice(0, mostRows).map((one) => (
            <tr key={one.tool}>
              <Key
                text={one.tool}
                isOn={view.filters.tool.include.includes(one.tool)}
                onClick={() =>
                  setView((now) => ({
                    ...now,
                    filters: { ...now.filters, tool: toggleOnly(now.filters.tool, one.tool) },
                  }))
                }
              />
              <ShareCell share={one.time / (longest || 1)} isThin />
              <td className={styles.strong}>
                {one.timed === 0 ? (
                  <span className={styles.unknown} title="Its executions were not recorded">
                    not known
                  </span>
                ) : (
                  `${one.timed < one.calls ? '≥ ' : ''}${duration(one.time)}`
                )}
              </td>
              <td>{count(one.calls)}</td>
              <td className={styles.more}>{one.failed > 0 && count(one.failed)}</td>
              <td>{one.p50 !== null && seconds(one.p50)}</td>
              <td className={one.slowest === slow && slow > 0 ? styles.strong : undefined}>
                {one.slowest !== null && seconds(one.slowest)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {tools.length > mostRows && (
        <p className={styles.foot}>and {counted(tools.length - mostRows, 'more tool')}</p>
      )}
    </div>
  );
}

function tokens(value: number | undefined): string {
  return value === undefined ? '' : renderTokens(value);
}

/** The first cell of a row, a click on which filters. */
function Key({ text, isOn, onClick }: { text: string; isOn: boolean; onClick: () => void }) {
  return (
    <th scope="row">
      <button type="button" aria-pressed={isOn} title={text} onClick={onClick}>
        {visibleText(text)}
      </button>
    </th>
  );
}

function ShareCell({ share, isThin = false }: { share: number; isThin?: boolean }) {
  return (
    <td className={styles.bar} aria-hidden="true">
      <span data-thin={isThin}>
        <i style={{ width: `${100 * share}%` }} />
      </span>
    </td>
  );
}

/** The dearest or slowest call, as a link to its case. */
function End({
  word,
  figure,
  of,
  run,
}: {
  word: string;
  figure: string;
  of: ListedCall;
  run: string;
}) {
  const link = useCallLink(run);
  const [name, rest] = nameParts(caseName(of));
  return (
    <span>
      <span className="quiet">{word}</span> <b>{figure}</b>
      <Link {...link(of)} className={styles.end}>
        <MiddleCut text={visibleText(name)} rest={visibleText(rest)} />
      </Link>
    </span>
  );
}
