import { expect } from 'chai';

// Line feeds stand between lines; everything else that moves a cursor, hides or turns text is spelled out.
const raw = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u;
const insides = /^\s+at |node:internal|\bdist\/|src\/\w+\/[\w-]+\.ts|\[object \w+\]/m;
const systemWords = /\bE[A-Z]{4,}\b:|Error: E[A-Z]|errno|syscall/;
const longestLine = 2100;

/** Fails unless text can be shown to anybody: no stack, nothing of our insides, no control characters, no flood. */
export function expectPlainWords(text: string): void {
  expect(text, 'control characters').not.to.match(raw);
  expect(text, 'our insides').not.to.match(insides);
  expect(text, 'words of the system').not.to.match(systemWords);
  for (const line of text.split('\n')) expect(line.length, line).to.be.at.most(longestLine);
}
