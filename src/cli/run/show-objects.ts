import type { ObjectQuestion } from '../../engine/api.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { jsonText } from '../../report/words/json-text.js';
import type { ObjectFormat } from '../arguments/object-flags.js';
import type { Host } from '../process/host.js';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import type { GlobalFlags } from '../arguments/global-flags.js';
import { printProblems, withContext, withProject } from './run-context.js';

/** Asks for objects and prints them. Works without a sync.yaml, as lookups do. */
export function showObjects(
  host: Host,
  flags: GlobalFlags,
  question: ObjectQuestion,
  format: ObjectFormat,
): Promise<ExitCode> {
  return withContext(host, flags, (context) =>
    withProject(
      context,
      question.many === 'one' ? 'get' : 'list',
      async (project) => {
        const { type, objects, diagnostics } = await project.objects(question);
        context.progress.finish();
        printProblems(context, diagnostics);
        if (type === undefined || objects === undefined) return exitCode(withoutPlan(diagnostics));
        const [only] = objects;
        const shown = question.many === 'one' && only !== undefined ? only : objects;
        if (format === 'json') host.out(jsonText(shown));
        else {
          const { objectsTable, objectsYaml } = await import('../../report/text/objects.js');
          host.out(format === 'yaml' ? objectsYaml(shown) : objectsTable(type, objects, context.style));
        }
        return exitCode({ errors: hasErrors(diagnostics) });
      },
      undefined,
      { isOptional: true },
    ),
  );
}
