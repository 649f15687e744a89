import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { parseWholeNumber, redisFlag } from '../cli/flags.js';
import { workerCommand } from '../cli/workers/worker-command.js';
import { settingTable } from '../settings/setting-table.js';

const { concurrency } = settingTable;

export default class Worker extends BaseCommand {
  static override summary = 'Run evaluations of this project for runs elsewhere, over Redis.';
  static override usage = 'worker [FLAGS]';
  static override examples = [
    '<%= config.bin %> worker --redis redis://127.0.0.1:6379',
    '<%= config.bin %> worker --redis rediss://queue.example.com -c 20 --offers gpu',
  ];
  static override flags = {
    redis: redisFlag(),
    concurrency: Flags.custom<number>({
      char: 'c',
      description: concurrency.description,
      helpValue: 'N',
      parse: parseWholeNumber('concurrency', { min: 1, max: concurrency.max }),
    })(),
    workers: Flags.custom<number>({
      description: 'Number of processes. Default 1.',
      helpValue: 'N',
      parse: parseWholeNumber('workers', { min: 1, max: 64 }),
    })(),
    offers: Flags.string({
      description: 'What this machine has that evaluations may require, such as gpu.',
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      helpValue: 'NAME',
    }),
    name: Flags.string({
      description: 'Name of the worker. Default: that of the machine and the process.',
      helpValue: 'NAME',
    }),
    'lock-seconds': Flags.custom<number>({
      description:
        'Seconds without a sign of life after which others take its evaluations. Default 60.',
      helpValue: 'N',
      parse: parseWholeNumber('lock-seconds', { min: 1, max: 3600 }),
    })(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Worker);
    const settings = await this.projectSettings(flags.settings, {
      flags: { redis: flags.redis, concurrency: flags.concurrency },
    });
    const code = await workerCommand({
      settings,
      addedEnv: this.addedEnv,
      name: flags.name,
      offers: flags.offers ?? [],
      workers: flags.workers ?? 1,
      lockSeconds: flags['lock-seconds'] ?? 60,
      json: this.jsonEnabled(),
    });
    if (code !== 0) this.exit(code);
  }
}
