import path from 'node:path';
import { argument, string as text } from '../arguments/flag.js';
import { countsText } from '@platform-sync/report/text/types';
import { count } from '@platform-sync/report/words/value';
import { jsonText } from '@platform-sync/report/words/json-text';
import { compileFile } from '@platform-sync/describe/load';
import { writeReport } from '../files/report-file.js';
import { printProblems } from '../run/run-context.js';
import { command } from '../run/command.js';

export const typesCompileCommand = command({
  summary: 'Compile an OpenAPI description into definitions of types.',
  description:
    'Reads one OpenAPI 3 file, JSON or YAML; nothing is fetched. The rule that decided stands beside every field. Where the rules cannot decide, the compiler warns; settle it by a correction in the rules file. Without --out the definitions are printed.',
  examples: [
    'sync types compile openapi.yaml --out acme.types.json',
    'sync types compile openapi.yaml --rules acme.rules.yaml --out acme.types.json',
  ],
  args: {
    description: argument({ name: 'DESCRIPTION', required: true, description: 'OpenAPI 3 file' }),
  },
  flags: {
    rules: text({ description: 'names and corrections, YAML or JSON', helpValue: 'FILE' }),
    out: text({ description: 'write the definitions here', helpValue: 'FILE' }),
  },
  needs: 'context',
  async run({ args, flags, host, context }) {
    const { types, open } = compileFile(context.cwd, args.description, flags.rules);
    printProblems(context, open);
    if (flags.out === undefined) {
      host.out(jsonText(types));
      return 0;
    }
    await writeReport(path.resolve(context.cwd, flags.out), jsonText(types), 'file of types');
    const counts = new Map<string, number>();
    for (const fields of Object.values(types.decided))
      for (const rule of Object.values(fields)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
    host.out(`${count(types.definitions.length, 'type')}, and the rules that decided about their fields:\n`);
    host.out(countsText(counts));
    return 0;
  },
});
