import { BaseCommand } from '../cli/base-command.js';
import { redisFlag, redisUrl } from '../cli/flags.js';
import { streamWidth } from '../cli/terminal/stream-width.js';
import { renderWorkers } from '../cli/workers/workers-table.js';
import { listWorkers, type WorkerList } from '../workers/list-workers.js';
import { openProjectRedis } from '../workers/open-redis-executors.js';

export default class Workers extends BaseCommand {
  static override summary = 'List the workers of this project, and what they run.';
  static override examples = [
    '<%= config.bin %> workers --redis redis://127.0.0.1:6379',
    `<%= config.bin %> workers --json | jq '.jobs'`,
  ];
  static override flags = { redis: redisFlag() };

  async run(): Promise<WorkerList> {
    const { flags } = await this.parse(Workers);
    const settings = await this.projectSettings(flags.settings, { flags: { redis: flags.redis } });
    const redis = await openProjectRedis(redisUrl(settings), process.cwd());
    try {
      const list = await listWorkers(redis);
      const { shownUrl } = redis;
      const page = { width: streamWidth(process.stdout), now: Date.now(), shownUrl };
      this.log(renderWorkers(list, page));
      return list;
    } finally {
      await redis.close();
    }
  }
}
