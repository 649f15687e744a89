import { BodyCapture } from '../../src/host/calls/body-capture.js';
import type { NormalizeBody } from '../../src/host/recordings/compared-request.js';
import type { GivenAnswer } from '../../src/host/recordings/recorded-parts.js';
import { Recordings } from '../../src/host/recordings/recordings.js';
import type { RecordingOptions, RecordingSource } from '../../src/recordings/recording.js';

/** A request, and what is answered to it if it is made. */
export interface Asked {
  readonly url?: string;
  readonly json?: unknown;
  readonly role?: 'target' | 'evaluator:judge';
  readonly answer?: string;
  readonly status?: number;
}

export type Given =
  | { readonly made: string }
  | { readonly replayed: string; readonly from: string; readonly isShared: boolean }
  | { readonly refused: string };

export interface RecordedAttempt {
  readonly warnings: readonly string[];
  /** Makes a request: tells who answered. */
  ask(asked?: Asked): Given;
  /** The attempt ends. */
  end(): void;
  readonly lookups: ReturnType<typeof lookupsOf>;
}

type Caller = Parameters<Recordings['decide']>[0]['caller'];

const lookupsOf = (caller: Caller) => caller.recording?.lookups;

const address = 'https://api.openai.com/v1/chat/completions';

/** The recordings of a folder as one host process uses them, without processes and network. */
export function recordingProcess(
  folder: string,
  mode: RecordingOptions['mode'],
  more: Partial<RecordingOptions> = {},
) {
  const recordings = new Recordings({
    ...{ mode, folder, normalize: [], ...more },
    sanitizer: () => ({ callText: (value) => value }),
  });
  return {
    attempt(
      source: RecordingSource,
      normalize?: NormalizeBody,
      hasVariants = false,
    ): RecordedAttempt {
      const warnings: string[] = [];
      const caller: Caller = {
        ...{ startedAt: 0, isRunning: true, calls: undefined, notTimed: undefined },
        recordingSource: {
          ...{ source, normalize, keepsTarget: false, hasVariants, runId: () => 'run' },
          warn: (text: string) => warnings.push(text),
        },
      };
      const ask = ({
        url = address,
        json = {},
        role = 'target',
        answer = '',
        status = 200,
      }: Asked = {}): Given => {
        const body = new BodyCapture();
        body.add(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: json }] }));
        const decided = recordings.decide({ caller, role }, { method: 'POST', url, body });
        if (decided.action === 'refuse') return { refused: decided.error.message };
        if (decided.action === 'answer') {
          const { recording } = decided;
          const text = textOf(decided.answer);
          if (recording === undefined) return { refused: JSON.parse(text).message };
          return { replayed: text, from: recording.name, isShared: recording.isShared };
        }
        const chunks = [Buffer.from(answer)];
        decided.recording?.ended?.({
          ...{ status, headers: {}, url: undefined, chunks, size: answer.length },
          ...{ isComplete: true, hasEnded: true, error: undefined, exchange: undefined },
        });
        return { made: answer };
      };
      return {
        warnings,
        ask,
        end: () => caller.recording?.save(),
        get lookups() {
          return lookupsOf(caller);
        },
      };
    },
  };
}

function textOf({ chunks }: GivenAnswer): string {
  return Buffer.concat(chunks).toString();
}
