import { argument } from '../arguments/flag.js';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { exitCode, withoutPlan } from '../process/exit-code.js';
import { lookupArguments } from '../arguments/lookup-arguments.js';
import { findLookup } from '../arguments/package-index.js';
import { printProblems } from '../run/run-context.js';
import { command } from '../run/command.js';
import { jsonText } from '@platform-sync/report/words/json-text';

export const lookupCommand = command({
  summary: 'Look something up on the platform and print it as JSON.',
  description:
    'FUNCTION is a name that sync schema lists. Arguments are one JSON object, or key=value words; a dot in a key goes one level down. Needs no project: without sync.yaml, server and token come from the environment.',
  examples: [
    'sync lookup getPlatformIpAddresses',
    'sync lookup getPortal filter.name.eq=dev',
    'sync lookup getTeamList \'{"filter":{"name":{"contains":"pay"}}}\'',
  ],
  args: {
    function: argument({ name: 'FUNCTION', required: true, description: 'name or token of the lookup' }),
  },
  anyWords: true,
  needs: 'server',
  given: ({ words }) => lookupArguments(words.slice(1)),
  async run({ args, given, host, context, project }) {
    const lookup = await findLookup(project.packages, args.function);
    const { result, diagnostics } = await project.lookup(lookup.token, given);
    printProblems(context, diagnostics);
    if (result === undefined) return exitCode(withoutPlan(diagnostics));
    host.out(jsonText(result));
    return exitCode({ errors: hasErrors(diagnostics) });
  },
});
