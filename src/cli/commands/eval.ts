import type { Evaluated } from '@platform-sync/engine/api';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { evaluatedText } from '@platform-sync/report/text/explained';
import { jsonText } from '@platform-sync/report/words/json-text';
import { argument, textOrJson } from '../arguments/flag.js';
import { exitCode } from '../process/exit-code.js';
import { command } from '../run/command.js';
import { printProblems, withProject } from '../run/run-context.js';

export const evalCommand = command({
  summary: 'Say what an expression of the catalogue stands for.',
  description:
    'EXPRESSION is what could stand in a catalogue file: ${petstore.id}, a text with such parts, or !lookup {…}; a name alone needs no ${…}. It says where each part comes from: a file, an overlay, a parameter, the state, a lookup. Nothing is sent, unless there is a lookup in it: then that is said. Secrets are never shown.',
  examples: ["sync eval '${petstore.name}'", 'sync eval stack', "sync eval 'pets in ${project}' --format json"],
  args: { expression: argument({ name: 'EXPRESSION', required: true, description: 'as in a catalogue file' }) },
  flags: { format: textOrJson('how to print it') },
  needs: 'context',
  async run({ args: { expression }, flags, host, context }) {
    let found: Evaluated = { parts: [], lookups: [], diagnostics: [] };
    const evaluated = (asks: boolean) =>
      withProject(
        context,
        'eval',
        async (project) => {
          found = await project.evaluate({ asks });
          return 0;
        },
        undefined,
        { expression, ...(asks ? {} : { isOffline: true }) },
      );
    const opened = await evaluated(false);
    if (opened !== 0) return opened;
    if (found.lookups.length > 0) host.err(`Asks the platform: ${found.lookups.join(', ')}.\n`);
    if (found.lookups.length > 0 || found.parts.some(({ from }) => from === 'state')) {
      const asked = await evaluated(true);
      if (asked !== 0) return asked;
    }
    const { diagnostics, ...told } = found;
    const errors = hasErrors(diagnostics) || told.value === undefined;
    printProblems(context, diagnostics);
    if (flags.format === 'json') host.out(jsonText({ ok: !errors, ...found }));
    else if (told.value !== undefined) host.out(evaluatedText({ ...told, value: told.value }, context.style));
    return exitCode({ errors });
  },
});
