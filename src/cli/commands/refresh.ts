import { boolean, textOrJson } from '../arguments/flag.js';
import { eventsFlag, lockTimeout, lockWait, selectionFlags, selectionOptions } from '../arguments/shared-flags.js';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { refreshText } from '@platform-sync/report/text/apply-result';
import { exitCode, withoutPlan } from '../process/exit-code.js';
import { command } from '../run/command.js';
import { jsonText } from '@platform-sync/report/words/json-text';

export const refreshCommand = command({
  summary: 'Record what the platform has now; change nothing there.',
  description:
    'Reads every managed object and writes what it finds to state. Changes made outside are then no longer drift: the next plan compares the catalogue with it.',
  examples: ['sync refresh', 'sync refresh --target petstore', 'sync refresh --format json'],
  flags: {
    ...selectionFlags,
    ...eventsFlag,
    format: textOrJson('how to report'),
    'lock-timeout': lockTimeout,
    yes: boolean({ char: 'y', description: 'accepted for scripts; refresh never asks' }),
  },
  needs: 'project',
  given: ({ flags }) => lockWait(flags),
  async run({ flags, given, host, context, project }) {
    const result = await context.interrupts.guard((signals) =>
      project.refresh({ ...given, ...selectionOptions(flags), ...signals }),
    );
    context.progress.finish();
    host.out(
      flags.format === 'json'
        ? jsonText({ ok: !hasErrors(result.diagnostics), ...result })
        : refreshText(result, context.style),
    );
    return exitCode({
      ...(hasErrors(result.diagnostics) ? withoutPlan(result.diagnostics) : {}),
      ...(result.notCompared > 0 ? { notCompared: true } : {}),
      signal: context.interrupts.caught,
    });
  },
});
