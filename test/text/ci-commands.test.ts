import { expect } from 'chai';
import { escapeXml, escapeXmlAttribute } from '../../src/cli/reporters/junit-document.js';
import { escapeLines, escapeTerminal, wrapLine } from '../../src/cli/terminal/terminal-text.js';

/** What each service reads as a command, and how. */
const services: readonly (readonly [name: string, reads: RegExp, lines: readonly string[]])[] = [
  [
    'GitHub Actions',
    /^[\s\u0085]*::/m,
    ['::error::x', ' \t::set-output name=a::b', '::stop-commands::y', '\u0085::add-mask::z'],
  ],
  ['GitHub, Azure', /##\[/, ['##[error]x', 'see ##[group]x']],
  [
    'Azure Pipelines',
    /##vso\[/i,
    ['##vso[task.complete result=Succeeded;]', 'x ##VSO[task.prependpath]/tmp'],
  ],
  ['TeamCity', /##teamcity\[/, [`##teamcity[testFailed name='x']`, 'x ##teamcity[buildStop]']],
  ['Octopus Deploy', /##octopus\[/, [`##octopus[setVariable name='x']`]],
  [
    'GitLab',
    /section_(start|end):\d+:/,
    ['section_start:1700000000:name\r\x1b[0Kx', 'x section_end:1:name'],
  ],
  ['Travis CI', /travis_(fold|time):/, ['travis_fold:start:name', 'travis_time:start:1a']],
  [
    'Buildkite',
    /^(---|\+\+\+|~~~)\s|^\^\^\^\s\+\+\+/m,
    ['--- name', '+++ name', '~~~ name', '^^^ +++'],
  ],
];

describe('commands of CI services', () => {
  for (const [name, reads, lines] of services) {
    it(`of ${name} are inert in lines of a terminal, where they are wrapped, and in XML`, () => {
      for (const line of lines) {
        expect(line).to.match(reads);
        for (const text of [line, `a\n${line}`, `${line}\nb`]) {
          expect(escapeTerminal(text)).to.not.match(reads);
          expect(escapeLines(text).join('\n')).to.not.match(reads);
          expect(escapeXml(text)).to.not.match(reads);
          expect(`\n${escapeXmlAttribute(text)}`).to.not.match(reads);
        }
        const wrapped = wrapLine(escapeTerminal(`${'word '.repeat(4)}${line}`), 20);
        expect(wrapped.join('\n')).to.not.match(reads);
      }
    });
  }

  it('do not change names and text that only look alike', () => {
    for (const text of [
      'evals/a.eval.ts::refund[a::b]',
      'a :: b',
      '## Title [x]',
      '---',
      'a --- b',
      '--flag',
      'section start: 1',
      '# [1]',
    ]) {
      expect(escapeTerminal(text)).to.equal(text);
      expect(escapeXml(text)).to.equal(text);
    }
  });
});
