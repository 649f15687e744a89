import fc from 'fast-check';
import { removeProjects } from '../helpers/project.js';
import { patience, rounds } from '../helpers/rounds.js';
import { closeServers } from '../helpers/served-project.js';
import { ModelledServer } from './modelled-server.js';
import { begin, commands, end } from './workspace-commands.js';
import { WorkspaceModel } from './workspace-model.js';

describe('a server, whatever is asked of it and in whatever order', function () {
  this.timeout(patience);

  it('is in the states of the contract, and its logs say what it answers', async () => {
    await fc.assert(
      fc.asyncProperty(commands(24), async (sequence) => {
        const server = await ModelledServer.start();
        const { run_id, run_name } = await server.served.active();
        const model = new WorkspaceModel(run_id, run_name);
        try {
          await begin(model, server);
          await fc.asyncModelRun(() => ({ model, real: server }), sequence);
          await end(model, server);
        } finally {
          await closeServers();
          removeProjects();
        }
      }),
      rounds(2),
    );
  });
});
