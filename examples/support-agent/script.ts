/** What the model does with a ticket: the tools it calls, and what it says when it is right and when it is wrong. */
export interface Ticket {
  readonly id: string;
  /** Messages of the customer. */
  readonly turns: number;
  readonly tools: readonly { readonly name: string; readonly input: unknown }[];
  readonly good: string;
  readonly bad: string;
}

/** A message of a chat completion, as far as the model reads it. */
export interface Message {
  readonly role: string;
  readonly content?: unknown;
}

/** What the model says next, and how long that takes. */
export interface Said {
  readonly text: string;
  readonly tool?: { readonly name: string; readonly input: unknown };
  readonly seconds: number;
}

/** The prompt in use; the one before it was worse. */
export const newestPrompt = Number(process.env.SUPPORT_PROMPT ?? 14);

const tickets = new Map<string, Ticket>();

/** Tells the model what to say to a ticket. */
export function learn(ticket: Ticket): void {
  tickets.set(ticket.id, ticket);
}

/** The system prompt of the agent: the model knows the ticket and the version of the prompt from it. */
export function systemPrompt(id: string, prompt: number): string {
  return `You are the support desk of a shop. Use the tools before you promise anything.\nPrompt v${prompt}, ticket ${id}.`;
}

/** The prompt of the judge. */
export const judgePrompt =
  'How kind is this answer to a customer? Answer as JSON: {"politeness": 0 to 1}.';

/**
 * What the model says next. Whether it gets a ticket right depends on the ticket, the prompt and the seed alone.
 * `undefined` when its filter keeps the answer.
 */
export function nextMessage(messages: readonly Message[], seed: number): Said | undefined {
  const system = String(messages[0]?.content);
  if (system === judgePrompt) {
    const text = JSON.stringify({ politeness: kindness(String(messages.at(-1)?.content)) });
    return { text, seconds: 0.2 };
  }
  const [, version, id = ''] = /^Prompt v(\d+), ticket (.+)\.$/m.exec(system) ?? [];
  const ticket = tickets.get(id);
  if (ticket === undefined) return { text: 'I do not know this ticket.', seconds: 0.1 };
  return onTicket(ticket, messages, Number(version), seed);
}

function onTicket(
  { id, turns, tools, good, bad }: Ticket,
  messages: readonly Message[],
  prompt: number,
  seed: number,
): Said | undefined {
  const count = (wanted: string) => messages.filter(({ role }) => role === wanted).length;
  const isCareful = isRight(`tools ${id}`, prompt, seed);
  const steps = isCareful ? tools : tools.slice(0, -1);
  if (steps.length === 0 && !isCarrierUp(id, prompt, seed)) return undefined;
  const seconds = latency(id, prompt, seed) / (steps.length + turns);
  const tool = steps[count('tool')];
  if (tool !== undefined) return { text: '', tool, seconds };
  if (count('user') < turns) return { text: 'Done. Is there anything else?', seconds };
  return { text: isRight(id, prompt, seed) ? good : bad, seconds };
}

/** Whether the carrier behind the tools of a ticket answers. */
export function isCarrierUp(id: string, prompt: number, seed: number): boolean {
  return isRight(`carrier ${id}`, prompt + 12, seed);
}

/** Whether something about a ticket goes well with a prompt. `seed`: the trial; 0 where there is one only. */
function isRight(about: string, prompt: number, seed: number): boolean {
  const difficulty = fraction(`desk ${about}`);
  const mood = fraction(`${prompt} ${seed} ${about}`);
  const share = seed === 0 ? 0.16 : 0.8;
  return difficulty * (1 - share) + mood * share < 0.7 + prompt * 0.008;
}

function kindness(text: string): number {
  const kind = text.match(/please|thank|sorry|gladly|welcome|happy|leid|gern/gi)?.length ?? 0;
  return Math.min(1, 0.7 + 0.1 * kind + (text.length % 17) / 100);
}

/** Seconds, with a long tail. */
function latency(id: string, prompt: number, seed: number): number {
  const [one, two, three] = ['a', 'b', 'c'].map((of) => fraction(`${of} ${seed} ${id}`));
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
