import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { brokenValue, type BuildContext } from '../read/build-context.js';

/** Names that mean something of their own in references: no resource and no variable has them. */
export const builtInNames: readonly string[] = ['param', 'project', 'stack'];

/** The values behind those names: variables that no file declares. */
export function builtInVariables(
  { project, stack, parameters }: ProjectConfig,
  context: BuildContext,
): ReadonlyMap<string, Expression> {
  const at: SourceRange = { file: 'sync.yaml', start: 0, end: 0 };
  const entries = new Map<string, MapEntry>();
  for (const [name, value] of parameters?.values ?? [])
    entries.set(name, { key: at, value: value ?? brokenValue(context, at) });
  return new Map<string, Expression>([
    ['param', { kind: 'map', entries, at }],
    ['project', { kind: 'literal', value: project, at }],
    ['stack', { kind: 'literal', value: stack, at }],
  ]);
}

/** Variables without those that no file declares. */
export function declaredVariables(variables: ReadonlyMap<string, Expression>): ReadonlyMap<string, Expression> {
  return new Map([...variables].filter(([name]) => !builtInNames.includes(name)));
}
