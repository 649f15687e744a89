/** What the agent did for a message: the tools it called, in order, and what it said. */
export interface Turn {
  readonly tools: readonly string[];
  readonly reply: string;
}

interface Skill {
  readonly about: RegExp;
  readonly tools: readonly string[];
  readonly reply: string;
  /** How often the agent gets this right, from 0 to 1. */
  readonly reliability: number;
}

const skills: readonly Skill[] = [
  {
    about: /refund|money back/i,
    tools: ['find_order', 'refund'],
    reply: 'Your refund is on its way.',
    reliability: 0.6,
  },
  {
    about: /cancel/i,
    tools: ['find_order', 'cancel'],
    reply: 'Your order is cancelled.',
    reliability: 1,
  },
  {
    about: /where|track|arrive/i,
    tools: ['find_order', 'track'],
    reply: 'Your parcel arrives on Tuesday.',
    reliability: 0.8,
  },
];

/**
 * A stand-in for an agent that calls a model: it picks a skill by keyword and sometimes slips, stopping after its first tool.
 * The seed decides when, so the same message and seed always give the same turn.
 */
export function deskAgent(message: string, seed: number): Turn {
  const skill = skills.find(({ about }) => about.test(message));
  if (!skill) return { tools: [], reply: 'Sorry, I cannot help with that.' };
  const slips = fraction(`${seed} ${message}`) >= skill.reliability;
  return slips
    ? { tools: skill.tools.slice(0, 1), reply: 'I found your order. Anything else?' }
    : { tools: skill.tools, reply: skill.reply };
}

/** A number from 0 up to 1 that depends on the text alone: FNV-1a, then the finalizer of MurmurHash3. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
