import { Flags, type Interfaces } from '@oclif/core';
import { AssayError } from '../../errors.js';
import { redisFlag, resultsDirFlag, type settingsFlag } from '../flags.js';
import { selectionFlags } from '../selection-flags.js';

const runs = 'RUNS';
const network = 'NETWORK';

/** The flags of `assay serve`. */
export const serveFlags = {
  run: Flags.string({
    description:
      'Open this saved run: an id, the beginning of one, a name, latest, previous, a folder or file.',
    helpGroup: runs,
    helpValue: 'RUN',
  }),
  start: Flags.boolean({
    description: 'Run everything at once.',
    helpGroup: runs,
    exclusive: ['run'],
  }),
  session: Flags.string({
    description: 'Session of new runs, and to search for a run name.',
    helpGroup: runs,
    helpValue: 'NAME',
  }),
  'run-name': Flags.string({
    description: 'Name of the first run.',
    helpGroup: runs,
    helpValue: 'NAME',
    exclusive: ['run'],
  }),
  'run-config': Flags.string({
    description: 'Run config of the first run.',
    helpGroup: runs,
    helpValue: 'NAME',
  }),
  ...selectionFlags(runs),
  redis: redisFlag(runs),
  port: Flags.custom<number>({
    description: 'Port; 0 for any free one. Default: 8000, or the first free one of the next nine.',
    helpGroup: network,
    helpValue: 'N',
    parse: async (text) => {
      const value = Number(text);
      if (/^\d+$/.test(text) && value <= 65_535) return value;
      throw new AssayError('usage', `--port takes 0 to 65535, not ${JSON.stringify(text)}.`);
    },
  })(),
  host: Flags.string({
    description: 'Address to listen on; addresses other than 127.0.0.1 and ::1 need --token.',
    default: '127.0.0.1',
    helpGroup: network,
    helpValue: 'ADDRESS',
  }),
  token: Flags.string({
    description: 'Require this token from clients; auto generates one.',
    env: 'ASSAY_TOKEN',
    helpGroup: network,
    helpValue: 'TOKEN',
  }),
  'allowed-host': Flags.string({
    description: 'Additional host name, with its port, that clients may use for this server.',
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: network,
    helpValue: 'HOST:PORT',
  }),
  open: Flags.boolean({
    description: 'Open a browser. Default: if there is one.',
    allowNo: true,
    helpGroup: network,
  }),
  'results-dir': resultsDirFlag,
};

/** Parsed flags of `assay serve`, including the global ones. */
export type ServeFlags = Readonly<
  Interfaces.InferredFlags<typeof serveFlags & { settings: typeof settingsFlag }>
>;
