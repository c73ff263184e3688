import type { ObjectQuestion, Project } from '@platform-sync/engine/api';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { jsonText } from '@platform-sync/report/words/json-text';
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
    const { objectsTable, objectsYaml } = await import('@platform-sync/report/text/objects');
    host.out(format === 'yaml' ? objectsYaml(shown) : objectsTable(type, objects, style));
  }
  return exitCode({ errors: hasErrors(diagnostics) });
}
