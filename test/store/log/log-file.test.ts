import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LogFile } from '../../../src/store/log/log-file.js';
import { refusal, temporaryFolder } from '../builders.js';

describe('LogFile', () => {
  it('never touches the file that was given its descriptor after it was closed', async () => {
    const folder = temporaryFolder();
    const [path, other] = [join(folder, 'results.jsonl'), join(folder, 'other.jsonl')];
    writeFileSync(path, 'ours\n');
    writeFileSync(other, 'theirs\n');
    const log = LogFile.open(path);
    if (log === undefined) throw new Error('there is no log');
    const { fd } = log;
    log.release();
    const reused = openSync(other, 'a+');
    try {
      expect(reused).to.equal(fd);
      const uses = [
        () => log.append(Buffer.from('more\n')),
        () => log.bytesAt(0, 4),
        () => log.passingBytesAt(0, 4),
        () => log.readAt(0, 4),
        () => log.look(),
        () => log.fd,
      ];
      for (const use of uses) expect((await refusal(use)).message).to.match(/is closed/);
      expect(readFileSync(other, 'utf8')).to.equal('theirs\n');
    } finally {
      closeSync(reused);
    }
  });

  it('reads lines of any length one after the other into memory that they share', () => {
    const path = join(temporaryFolder(), 'results.jsonl');
    const lines = [10, 3, 200_000, 1, 3_000_000].map((length, n) => String(n).repeat(length));
    writeFileSync(path, lines.join(''));
    const log = LogFile.open(path);
    let offset = 0;
    for (const line of lines) {
      expect(log?.passingBytesAt(offset, line.length).toString()).to.equal(line);
      offset += line.length;
    }
    // Of what is beyond the end there is nothing, not what was read before.
    expect(log?.passingBytesAt(offset - 2, 10).toString()).to.equal('44');
    log?.release();
  });
});
