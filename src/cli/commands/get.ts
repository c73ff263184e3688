import { argument, boolean, option } from '../arguments/flag.js';
import { defined } from '@platform-sync/core/model/value';
import { objectFlags, objectFormats } from '../arguments/object-flags.js';
import { showObjects } from '../run/show-objects.js';
import { command } from '../run/command.js';

export const getCommand = command({
  summary: 'Show objects as the platform has them: all of a type, or one.',
  description:
    'Without NAME it lists all objects of the type, whoever manages them, in the order of their names. NAME is a name, a label, a key of one field, or an id. --one means the only object there is. If none or several match, they are listed and nothing is shown. Secrets are never shown. Needs no project: without sync.yaml, server and token come from the environment.',
  examples: [
    'sync get Api',
    'sync get Api Petstore',
    'sync get Portal --filter name=dev --one --format json',
    'sync get ApiDocument guide --parent Petstore',
  ],
  args: {
    type: argument({ name: 'TYPE', required: true, description: 'resource type: Api, platform:Api' }),
    name: argument({ name: 'NAME', description: 'name, key or id of one' }),
  },
  flags: {
    ...objectFlags,
    one: boolean({ description: 'only one may match, and is shown' }),
    format: option({ options: objectFormats, description: 'how to print them (default: table, and yaml for one)' })(),
  },
  needs: 'server',
  run({ args, flags, context, project }) {
    const { parent: parents, filter: filters } = flags;
    const isOne = args.name !== undefined || flags.one;
    const question = {
      type: args.type,
      many: isOne ? 'one' : 'all',
      ...defined({ name: args.name, parents, filters }),
    } as const;
    return showObjects(context, project, question, flags.format ?? (isOne ? 'yaml' : 'table'));
  },
});
