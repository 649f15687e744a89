import type { TracedCase } from './prompts-view.js';

/** Where traces part, as filters say it. */
export const partingNames: Readonly<Record<TracedCase['parts'], string>> = {
  first_message: 'first message',
  first_call: 'first call',
  later_call: 'a later call',
  tool_answer: 'answer of a tool',
  last_answer: 'last answer',
  nowhere: 'nowhere',
};

/** `parts at call 2`, `parts at the last answer`, `same in both`. */
export function partingText({ parts, call }: Pick<TracedCase, 'parts' | 'call'>): string {
  if (parts === 'nowhere') return 'same in both';
  if (parts === 'first_call' || parts === 'later_call') return `parts at call ${call}`;
  return `parts at the ${partingNames[parts]}, call ${call}`;
}
