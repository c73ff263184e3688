import { argument, textOrJson } from '../arguments/flag.js';
import { compareText } from '@platform-sync/core/model/address';
import { visible } from '@platform-sync/report/words/escape';
import { table } from '@platform-sync/report/text/table';
import { typeName } from '@platform-sync/report/words/value';
import { isAtOrUnder } from '../state/records.js';
import { command } from '../run/command.js';
import { jsonText } from '@platform-sync/report/words/json-text';

export const stateListCommand = command({
  summary: 'List what is managed: address, type, id.',
  examples: ['sync state list', 'sync state list petstore --format json'],
  args: { address: argument({ name: 'ADDRESS', description: 'only this one and what is below it' }) },
  flags: {
    format: textOrJson('how to print it'),
  },
  needs: 'project',
  async run({ args, flags, host, project }) {
    const { resources } = await (await project.state()).read();
    const records = [...resources.values()]
      .filter((record) => args.address === undefined || isAtOrUnder(record.address, args.address))
      .sort((a, b) => compareText(a.address, b.address))
      .map(({ address, type, identity }) => ({ address, type, id: identity.id }));
    if (flags.format === 'json') host.out(jsonText(records));
    else host.out(table(records.map(({ address, type, id }) => [visible(address), typeName(type), visible(id)])));
    return 0;
  },
});
