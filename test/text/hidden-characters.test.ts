import assert from 'node:assert/strict';
import { renderAnnotation } from '../../src/cli/reporters/github.js';
import { escapeXml } from '../../src/cli/reporters/junit-document.js';
import { forStdout } from '../../src/cli/terminal/screen-text.js';
import { escapeTerminal } from '../../src/cli/terminal/terminal-text.js';
import { escapeMarkdown } from '../../src/exporters/markdown-text.js';
import { printedText, visibleText } from '../../ui/src/result/values/visible-text.js';

/** All that shows untrusted text to people. */
const sinks = {
  'a terminal': escapeTerminal,
  'a document on a terminal': (text) => forStdout(text, false, true),
  'JSON on a terminal': (text) => forStdout(JSON.stringify(text), true, true),
  'the log of GitHub': (message) => renderAnnotation({ level: 'notice', title: 't', message }),
  Markdown: escapeMarkdown,
  JUnit: escapeXml,
  'a page': visibleText,
  'what an evaluation has printed, on a page': printedText,
} satisfies Record<string, (text: string) => string>;

const hidden = [
  ...['\0', '\x07', '\x7f', '\x85', '\x9b', '\xad', '\u034f', '\u061c', '\u115f', '\u17b4'],
  ...['\u180e', '\u200b', '\u200d', '\u200e', '\u2028', '\u202e', '\u2060', '\u2066', '\u206a'],
  ...['\u3164', '\ufeff', '\uffa0', '\ufff9', '\ud800', '\u{1bca0}', '\u{1d173}', '\u{e0041}'],
  ...['\u{e0fff}', `a${'\u0301'.repeat(9)}`],
];
const harmless = [
  '日本',
  'é',
  '👩\u200d💻',
  '❤\ufe0f',
  'می\u200cخواهم',
  'क्\u200dष',
  '\u0600',
  'a\u0301',
];

describe('hidden characters', () => {
  for (const [name, shown] of Object.entries(sinks)) {
    it(`are shown in ${name}, and nothing else is changed`, () => {
      const left = hidden.filter((text) => shown(`x${text}y`).includes(text));
      assert.deepEqual(left.map(escapeTerminal), []);
      const changed = harmless.filter((text) => !shown(`x${text}y`).includes(text));
      assert.deepEqual(changed, []);
    });
  }
});
