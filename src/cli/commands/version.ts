import { textOrJson } from '../arguments/flag.js';
import { jsonText } from '@platform-sync/report/words/json-text';
import { packageFacts } from '../process/package-facts.js';
import { command } from '../run/command.js';

export const versionCommand = command({
  summary: 'Print the version.',
  description: 'The same as --version; with --format json also of Node, and the platform it runs on.',
  examples: ['sync version', 'sync version --format json'],
  flags: {
    format: textOrJson('how to print it'),
  },
  needs: 'nothing',
  async run({ flags, host }) {
    const { name, version } = packageFacts();
    const { version: node, platform, arch } = process;
    host.out(flags.format === 'json' ? jsonText({ name, version, node, platform, arch }) : `${name} ${version}\n`);
    return 0;
  },
});
