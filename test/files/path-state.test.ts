import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { pathState } from '../../src/files/path-state.js';
import { Project } from '../helpers/project.js';

describe('pathState', () => {
  it('tells contents apart, and large files by size', () => {
    const project = new Project({ 'a.txt': 'one', 'b.txt': 'one', 'empty.txt': '' });
    const state = (name: string) => pathState('file', project.path(name));
    expect(state('a.txt')).to.equal(state('b.txt'));
    project.write('b.txt', 'two');
    expect(state('a.txt')).not.to.equal(state('b.txt'));
    expect(state('empty.txt')).not.to.equal(state('a.txt'));
    expect(state('gone.txt')).to.equal(null);
    writeFileSync(project.path('large'), 'x');
    truncateSync(project.path('large'), 9 * 1024 * 1024);
    expect(state('large')).to.match(/^large:9437184:/);
  });

  it('reads nothing that never ends: a stored run may name it', () => {
    const project = new Project({});
    execFileSync('mkfifo', [project.path('pipe')]);
    expect(pathState('file', project.path('pipe'))).to.equal('other');
    expect(pathState('file', '/dev/zero')).to.equal('other');
    if (process.platform !== 'linux') return;
    expect(pathState('file', '/proc/self/pagemap')).to.be.a('string');
    expect(pathState('file', '/proc/version')).to.equal(pathState('file', '/proc/version'));
  });
});
