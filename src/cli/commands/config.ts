import { boolean } from '../arguments/flag.js';
import type { ExitCode } from '../process/exit-code.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';
import { jsonText } from '../../report/words/json-text.js';

export class ConfigCommand extends SyncCommand {
  static override summary = "Print the provider's configuration as a map.";
  static override description =
    'What the method terraformConfig returns: the settings in force, from sync.yaml or the environment, under their snake_case names. Secrets are masked unless --show-secrets is given.';
  static override examples = ['<%= config.bin %> config', '<%= config.bin %> config --stack prod'];
  static override flags = {
    'show-secrets': boolean({ description: 'print tokens in the clear' }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { flags } = await this.parse(ConfigCommand);
    return withContext(host, flags, (context) =>
      withProject(context, 'config', async (project) => {
        const settings = project.config.providers['platform'] ?? {};
        const values = await host.providerConfig({ settings, env: host.env });
        const shown = Object.entries(values).map(([name, { value, secret }]) => [
          name,
          secret && !flags['show-secrets'] ? '(secret)' : value,
        ]);
        host.out(jsonText(Object.fromEntries(shown)));
        return 0;
      }),
    );
  }
}
