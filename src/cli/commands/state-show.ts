import { argument } from '../arguments/flag.js';
import { recordsAt } from '../state/records.js';
import { command } from '../run/command.js';
import { jsonText } from '@platform-sync/report/words/json-text';

export const stateShowCommand = command({
  summary: 'Print what is recorded of one object, as JSON.',
  description: 'Secrets stand as their expression and a fingerprint, never as a value.',
  examples: ['sync state show petstore/guide'],
  args: {
    address: argument({ name: 'ADDRESS', required: true, description: 'as sync state list prints it' }),
  },
  needs: 'project',
  async run({ args, host, project }) {
    const { resources } = await (await project.state()).read();
    const record = resources.get(args.address) ?? recordsAt(resources, args.address)[0];
    host.out(jsonText(record));
    return 0;
  },
});
