import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { type CommandRow, testCommands } from './command-rows.js';

const checkDirectory = 'Check that the results directory exists and that you may write to it.';

const resultsDirectories: readonly CommandRow[] = [
  ...(
    [
      ['a file', 'package.json', 'a part of the path is not a folder'],
      ['below a file', 'package.json/x', 'a part of the path is not a folder'],
      ['a device', '/dev/null', 'a part of the path is not a folder'],
      ['where nothing can be made', '/proc/self/x/y', 'it does not exist'],
      ['with a name that is too long', 'x'.repeat(300), 'a part of the path is too long'],
    ] as const
  ).map(([what, path, reason]) => ({
    what: `a results directory that is ${what}`,
    argv: ['run', '--results-dir', path],
    says: [
      `Cannot use ${path.startsWith('/') ? '' : '<project>/'}${path}/default: ${reason}.`,
      checkDirectory,
    ],
  })),
  {
    what: 'a results directory that is a link to itself',
    argv: ['run', '--results-dir', 'loop'],
    prepare: (project) => symlinkSync('loop', project.path('loop')),
    says: [
      'Cannot use <project>/loop/default: a part of the path is a link that leads in a circle.',
      checkDirectory,
    ],
  },
  {
    what: 'a results directory to read from that is a pipe',
    argv: ['sessions', '--results-dir', 'pipe'],
    prepare: (project) => execFileSync('mkfifo', [project.path('pipe')]),
    says: ['The results directory <project>/pipe is not a folder.'],
  },
  {
    what: 'an empty --results-dir',
    argv: ['run', '--results-dir', ''],
    says: ['--results-dir must not be empty.'],
  },
];

const serving: readonly CommandRow[] = [
  ...['-1', '65536', 'http', '1.5', '', '0x50'].map((port) => ({
    what: `port ${JSON.stringify(port)}`,
    argv: ['serve', '--port', port],
    says: [`--port takes 0 to 65535, not ${JSON.stringify(port)}.`],
  })),
  ...['', 'a b', 'ä', 'a\tb'].map((token) => ({
    what: `the token ${JSON.stringify(token)}`,
    argv: ['serve', '--port', '0', '--token', token],
    says: [
      'The token must be ASCII text without spaces, and not empty.',
      'Let --token auto make one.',
    ],
  })),
  ...['a', 'fifteen-letters'].map((token) => ({
    what: `the short token ${JSON.stringify(token)}`,
    argv: ['serve', '--port', '0', '--host', '0.0.0.0', '--token', token],
    says: [
      `The token must have at least 16 characters, this one has ${token.length}.`,
      'Let --token auto make one.',
    ],
  })),
  ...['http://x/', '', 'a b', 'x:y'].map((host) => ({
    what: `the allowed host ${JSON.stringify(host)}`,
    argv: ['serve', '--port', '0', '--allowed-host', host],
    says: [
      `${JSON.stringify(host)} is not a valid host name.`,
      'Write it as browsers do between // and the next slash: evals.example or evals.example:8443.',
    ],
  })),
  ...['', 'nohost.invalid', '999.1.1.1'].map((host) => ({
    what: `the address ${JSON.stringify(host)}`,
    argv: ['serve', '--port', '0', '--token', 'x'.repeat(20), '--host', host],
    says: [
      `${JSON.stringify(host)} is not an address to listen on.`,
      'Give an IP address, such as 127.0.0.1, or 0.0.0.0 for the whole network.',
    ],
  })),
  {
    what: 'the whole network without a token',
    argv: ['serve', '--port', '0', '--host', '0.0.0.0'],
    says: [
      'Other machines can reach 0.0.0.0, so a token is needed.',
      'Add --token auto, or a token of your own with --token or ASSAY_TOKEN.',
    ],
  },
  {
    what: 'serving a path that is not there',
    argv: ['serve', 'evals/nope', '--port', '0'],
    says: ['No such path: evals/nope.'],
  },
  {
    what: 'serving a blank session',
    argv: ['serve', '--port', '0', '--session', ' '],
    says: ['A session name must not be blank.'],
  },
  {
    what: 'starting a saved run',
    argv: ['serve', '--run', 'x', '--start'],
    says: ['--run and --start cannot be given together.'],
  },
];

testCommands('bad input: results directories', resultsDirectories);
// Nothing may be changed by these, so that none of them imports this file.
const marker = {
  'evals/marker.eval.ts': `import { writeFileSync } from 'node:fs';\nwriteFileSync('imported', '');\n`,
};
const unimported = serving.map((row) => ({ ...row, files: marker }));

testCommands('bad input: serving', unimported);
