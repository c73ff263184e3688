import { argument, option } from '../arguments/flag.js';
import { defined } from '../../engine/model/defined.js';
import { objectFlags, objectFormats } from '../arguments/object-flags.js';
import { showObjects } from '../run/show-objects.js';
import { command } from '../run/command.js';

export const getCommand = command({
  summary: 'Show one object as the platform has it.',
  description:
    'NAME is a name or label, a key of one field, or an id. It may be left out if there is only one object. If several match, they are listed and none is shown. Secrets are never shown. Needs no project: without sync.yaml, server and token are those of the environment.',
  examples: [
    'sync get Api Petstore',
    'sync get Portal --filter name=dev --format json',
    'sync get ApiDocument guide --parent Petstore',
  ],
  args: {
    type: argument({ name: 'TYPE', required: true, description: 'resource type: Api, platform:Api' }),
    name: argument({ name: 'NAME', description: 'name, key or id' }),
  },
  flags: {
    ...objectFlags,
    format: option({ options: objectFormats, description: 'how to print it', default: 'yaml' as const })(),
  },
  needs: 'server',
  run({ args, flags, context, project }) {
    const { parent: parents, filter: filters, format } = flags;
    const question = { type: args.type, many: 'one', ...defined({ name: args.name, parents, filters }) } as const;
    return showObjects(context, project, question, format);
  },
});
