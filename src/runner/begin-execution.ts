import type { Descriptor } from '../protocol/messages.js';
import type { RunOwner } from '../store/run-owner.js';
import { CallPricer } from './call-pricer.js';
import { Execution } from './execution.js';
import type { Executor } from './executor.js';
import { regradeWork, runWork, timeoutsOf } from './row-work.js';
import { type ExecutionSettings, type Runner, runContext, type Started } from './runner.js';
import { scoreRulesOf } from './score-rules-of.js';

export interface BeginOptions {
  readonly owner: RunOwner;
  readonly executor: Executor;
  /** Rows to run; already scheduled in the log. */
  readonly indices: readonly number[];
  /** What was discovered. */
  readonly descriptors: readonly Descriptor[];
  readonly settings: ExecutionSettings;
  readonly regrade?: boolean;
}

/** Sets scheduled rows going. */
export function beginExecution(runner: Runner, options: BeginOptions): Started {
  const { owner, executor, indices, settings } = options;
  const { run_id, run_name, session_name, config_name } = owner.run.header;
  const timeouts = timeoutsOf(options.descriptors, settings.config.timeout);
  const rulesOf = scoreRulesOf(options.descriptors, settings.config.scoreRules);
  const makeWork = options.regrade === true ? regradeWork : runWork;
  const execution = new Execution({
    owner,
    executor,
    context: runContext(owner, settings.config.params),
    indices,
    rowWork: makeWork(owner, timeouts, { rulesOf, pricer: new CallPricer(settings.config.prices) }),
    waitsForRoom: runner.waitsForRoom,
    onEvent: runner.onEvent,
  });
  owner.onProblem = (error) => {
    const text = error instanceof Error ? error.message : String(error);
    runner.onEvent({ type: 'warned', text });
  };
  const selected = indices.length;
  runner.onEvent({ type: 'opened', run_id, run_name, session_name, config_name, selected });
  for (const text of owner.run.problems) runner.onEvent({ type: 'warned', text });
  const finished = execution.run();
  return { run_id, run_name, owner, execution, finished };
}
