import { expect } from 'chai';
import { AssayError } from '../../src/errors.js';
import { checkName, sessionFolderName } from '../../src/store/names.js';

describe('session folder names', () => {
  it('are the name itself when it is a safe slug', () => {
    expect(sessionFolderName('default')).to.equal('default');
    expect(sessionFolderName('base_v2')).to.equal('base_v2');
    expect(sessionFolderName('v1.2')).to.equal('v1.2');
  });

  it('carry a hash when the slug is not the name', () => {
    expect(sessionFolderName('a/b')).to.match(/^a-b-[0-9a-f]{8}$/);
    expect(sessionFolderName('日本')).to.match(/^session-[0-9a-f]{8}$/);
    expect(sessionFolderName('!!!')).to.match(/^session-[0-9a-f]{8}$/);
    expect(sessionFolderName('*')).to.match(/^session-[0-9a-f]{8}$/);
    expect(sessionFolderName('Default')).to.match(/^default-[0-9a-f]{8}$/);
  });

  it('never are dots, hidden, or devices of Windows', () => {
    for (const name of ['.', '..', '.git', 'con', 'CON', 'nul', 'lpt1', 'con.txt', 'aux.a.b']) {
      const folder = sessionFolderName(name);
      expect(folder, name).to.match(/^[a-z0-9][a-z0-9_-]*-[0-9a-f]{8}$/);
    }
  });

  it('stay short and keep long names apart', () => {
    const [a, b] = [sessionFolderName(`${'x'.repeat(100)}a`), sessionFolderName('x'.repeat(100))];
    expect(a).to.not.equal(b);
    expect(a.length).to.be.at.most(70);
  });

  it('differ for names that look alike', () => {
    const names = [
      'a/b',
      'ab',
      'a b',
      'a-b',
      'A-b',
      'a\\b',
      'a:b',
      '日本',
      '本日',
      '!!!',
      '*',
      '?',
    ];
    expect(new Set(names.map(sessionFolderName)).size).to.equal(names.length);
  });
});

describe('names of sessions and runs', () => {
  it('are trimmed and may be any printable text', () => {
    expect(checkName('  feature/refunds 日本 👩‍👩‍👧  ', 'run')).to.equal(
      'feature/refunds 日本 👩‍👩‍👧',
    );
  });

  it('count characters, not code units', () => {
    expect(checkName('😀'.repeat(100), 'run')).to.have.lengthOf(200);
  });

  it('are no dots where they name a session, which would be folders in an address', () => {
    for (const name of ['.', '..', ' .. ']) {
      expect(() => checkName(name, 'session'), name).to.throw(AssayError, /must not be named/);
      expect(checkName(name, 'run')).to.equal(name.trim());
    }
    expect(checkName('...', 'session')).to.equal('...');
  });

  for (const [what, name] of [
    ['blank', ' \t '],
    ['too long', 'x'.repeat(101)],
    ['with a line feed', 'a\nb'],
    ['with an escape', 'a\u001b[31mb'],
    ['with half a surrogate pair', 'a\ud800b'],
    ['with a line separator', 'a\u2028b'],
  ] as const) {
    it(`are refused when ${what}`, () => {
      expect(() => checkName(name, 'session'))
        .to.throw(AssayError)
        .with.property('code', 'bad-request');
    });
  }
});

describe('names with marks that change the direction of text', () => {
  it('are refused, as they could look like another name', () => {
    for (const mark of ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069']) {
      for (const what of ['run', 'session'] as const) {
        expect(() => checkName(`gpj${mark}exe`, what)).to.throw(AssayError, /direction of text/);
      }
    }
    for (const name of ['نموذج', 'דגם', 'می\u200cخواهم', '👩\u200d🚀']) {
      expect(checkName(name, 'run')).to.equal(name);
    }
  });
});
