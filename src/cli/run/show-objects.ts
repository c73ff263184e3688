import type { ObjectQuestion, Project } from '../../engine/api.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { jsonText } from '../../report/words/json-text.js';
import type { ObjectFormat } from '../arguments/object-flags.js';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import { printProblems, type RunContext } from './run-context.js';

/** Asks for objects and prints them. */
export async function showObjects(
  context: RunContext,
  project: Project,
  question: ObjectQuestion,
  format: ObjectFormat,
): Promise<ExitCode> {
  const { host, progress, style } = context;
  const { type, objects, diagnostics } = await project.objects(question);
  progress.finish();
  printProblems(context, diagnostics);
  if (type === undefined || objects === undefined) return exitCode(withoutPlan(diagnostics));
  const [only] = objects;
  const shown = question.many === 'one' && only !== undefined ? only : objects;
  if (format === 'json') host.out(jsonText(shown));
  else {
    const { objectsTable, objectsYaml } = await import('../../report/text/objects.js');
    host.out(format === 'yaml' ? objectsYaml(shown) : objectsTable(type, objects, style));
  }
  return exitCode({ errors: hasErrors(diagnostics) });
}
