import { setTimeout as delay } from 'node:timers/promises';

/** A ticket of the desk, with what the agent says when it is right and when it is wrong. */
export interface Ticket<Answer> {
  readonly id: string;
  readonly good: Answer;
  readonly bad: Answer;
}

/** One call of a tool, and what came back. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly result: unknown;
}

/** What the agent did: its answer, and the seconds it says that took. */
export interface Turn<Answer> {
  readonly answer: Answer;
  readonly seconds: number;
}

/** The prompt in use; the one before it was worse. */
export const newestPrompt = 14;

/**
 * A stand-in for an agent that calls a model. Whether it gets a ticket right depends on the ticket, the prompt and the trial alone.
 * Error: the signal is aborted.
 */
export async function answer<Answer>(
  { id, good, bad }: Ticket<Answer>,
  prompt: number,
  trial: number,
  signal: AbortSignal,
): Promise<Turn<Answer>> {
  const seconds = latency(id, prompt, trial);
  await delay(seconds * 20, undefined, { signal });
  return { answer: isRight(id, prompt, trial) ? good : bad, seconds };
}

/** Whether something about a ticket goes well with a prompt. `trial`: 0 where there is one only. */
export function isRight(about: string, prompt: number, trial = 0): boolean {
  const difficulty = fraction(`desk ${about}`);
  const mood = fraction(`${prompt} ${trial} ${about}`);
  const share = trial === 0 ? 0.16 : 0.8;
  return difficulty * (1 - share) + mood * share < 0.7 + prompt * 0.008;
}

/** Seconds, with a long tail. */
function latency(id: string, prompt: number, trial: number): number {
  const [one, two, three] = ['a', 'b', 'c'].map((of) => fraction(`${of} ${trial} ${id}`));
  const around = (one ?? 0) + (two ?? 0) + (three ?? 0) - 1.5;
  const drift = fraction(`${prompt} latency ${id}`) * 0.3;
  return 2.2 * Math.exp(1.9 * around + drift);
}

/** A number from 0 up to 1 that depends on the text alone: FNV-1a, then the finalizer of MurmurHash3. */
export function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
