import { argument, textOrJson, string as text } from '../arguments/flag.js';
import { typeChangesText } from '@platform-sync/report/text/types';
import { jsonText } from '@platform-sync/report/words/json-text';
import { diffTypes } from '@platform-sync/describe/diff';
import { typesOf } from '@platform-sync/describe/load';
import { command } from '../run/command.js';

export const typesDiffCommand = command({
  summary: 'Show what a new description changes for catalogues.',
  description:
    'Types and fields that appear or vanish, fields that now replace, become required or secret. Each file is an OpenAPI description, or what `types compile` wrote. A line that begins with ! can break a catalogue.',
  examples: [
    'sync types diff acme.types.json openapi.yaml',
    'sync types diff old.yaml new.yaml --rules acme.rules.yaml --format json',
  ],
  args: {
    old: argument({ name: 'OLD', required: true, description: 'the old description, or its compiled types' }),
    new: argument({ name: 'NEW', required: true, description: 'those of now' }),
  },
  flags: {
    rules: text({ description: 'names and corrections for descriptions, YAML or JSON', helpValue: 'FILE' }),
    format: textOrJson('how to print it'),
  },
  needs: 'context',
  async run({ args, flags, host, context }) {
    const [old, next] = [args.old, args.new].map((file) => typesOf(context.cwd, file, flags.rules).types.definitions);
    const changes = diffTypes(old ?? [], next ?? []);
    host.out(flags.format === 'json' ? jsonText({ changes }) : typeChangesText(changes));
    return Promise.resolve(0);
  },
});
