import { argument, option } from '../arguments/flag.js';
import { defined } from '../../engine/model/defined.js';
import { objectFlags, objectFormats } from '../arguments/object-flags.js';
import { showObjects } from '../run/show-objects.js';
import { command } from '../run/command.js';

export const listCommand = command({
  summary: 'List objects of a type as the platform has them.',
  description:
    'All objects of the type, whoever manages them, in the order of their names. Secrets are never shown. Needs no project: without sync.yaml, server and token are those of the environment.',
  examples: [
    'sync list Api',
    'sync list Portal --filter name.contains=dev --format yaml',
    'sync list ApiDocument --parent Petstore',
  ],
  args: {
    type: argument({ name: 'TYPE', required: true, description: 'resource type: Api, platform:Api' }),
  },
  flags: {
    ...objectFlags,
    format: option({ options: objectFormats, description: 'how to print it', default: 'table' as const })(),
  },
  needs: 'server',
  run({ args, flags, context, project }) {
    const { parent: parents, filter: filters, format } = flags;
    return showObjects(context, project, { type: args.type, many: 'all', ...defined({ parents, filters }) }, format);
  },
});
