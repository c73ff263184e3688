import { boolean } from '../arguments/flag.js';
import { command } from '../run/command.js';
import { jsonText } from '@platform-sync/report/words/json-text';

export const configCommand = command({
  summary: "Print the provider's configuration as a map.",
  description:
    'The settings in force, from sync.yaml or the environment, under their snake_case names, as the method terraformConfig returns them. Secrets are masked unless --show-secrets is given.',
  examples: ['sync config', 'sync config --stack prod'],
  flags: {
    'show-secrets': boolean({ description: 'print tokens in the clear' }),
  },
  needs: 'project',
  async run({ flags, host, project }) {
    const settings = project.config.providers['platform'] ?? {};
    const values = await host.providerConfig({ settings, env: host.env });
    const shown = Object.entries(values).map(([name, { value, secret }]) => [
      name,
      secret && !flags['show-secrets'] ? '(secret)' : value,
    ]);
    host.out(jsonText(Object.fromEntries(shown)));
    return 0;
  },
});
