import { argument } from '../arguments/flag.js';
import type { Project } from '../../engine/api.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import { lookupArguments } from '../arguments/lookup-arguments.js';
import { findLookup } from '../arguments/package-index.js';
import { printProblems, withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';
import { jsonText } from '../../report/words/json-text.js';

export class LookupCommand extends SyncCommand {
  static override summary = 'Ask the platform something and print the answer as JSON.';
  static override description =
    'FUNCTION is a name that sync schema lists. Arguments are one JSON object, or key=value words; a dot in a key goes one level down. Needs no project: without sync.yaml, server and token are those of the environment.';
  static override examples = [
    '<%= config.bin %> lookup getPlatformIpAddresses',
    '<%= config.bin %> lookup getPortal filter.name.eq=dev',
    '<%= config.bin %> lookup getTeamList \'{"filter":{"name":{"contains":"pay"}}}\'',
  ];
  static override args = {
    function: argument({ name: 'FUNCTION', required: true, description: 'name or token of the lookup' }),
  };
  static override strict = false;

  override async execute(host: Host): Promise<ExitCode> {
    const { args, argv, flags } = await this.parse(LookupCommand);
    const values = lookupArguments(argv.slice(1).map(String));
    return withContext(host, flags, (context) => {
      const work = async (project: Project): Promise<ExitCode> => {
        const lookup = await findLookup(project.packages, args.function);
        const { result, diagnostics } = await project.lookup(lookup.token, values);
        printProblems(context, diagnostics);
        if (result !== undefined) host.out(jsonText(result));
        if (result === undefined) return exitCode(withoutPlan(diagnostics));
        return exitCode({ errors: hasErrors(diagnostics) });
      };
      return withProject(context, 'lookup', work, undefined, { isOptional: true });
    });
  }
}
