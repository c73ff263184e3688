import { shownJson } from '@platform-sync/report/words/json-text';
import { command } from '../run/command.js';

export const statePullCommand = command({
  summary: "Print the stack's state as one JSON document.",
  description:
    'For a backup, or to move a stack to another backend with sync state push. The document holds the key of the fingerprints: keep it as private as the state itself.',
  examples: ['sync state pull > backup.json'],
  needs: 'project',
  async run({ host, project }) {
    const document = await (await project.state()).pull();
    host.out(shownJson(document.endsWith('\n') ? document : `${document}\n`));
    return 0;
  },
});
