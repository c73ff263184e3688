import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { nearest } from '@platform-sync/core/model/nearest';
import { explainedCode, explainedField, explainedResource, fieldAt } from '@platform-sync/report/text/explained';
import { jsonText } from '@platform-sync/report/words/json-text';
import { argument, textOrJson } from '../arguments/flag.js';
import { knownType, typeTokens } from '../arguments/package-index.js';
import { explanations } from '../generated/explanations.js';
import type { ExitCode } from '../process/exit-code.js';
import { UsageError } from '../process/usage-error.js';
import { command } from '../run/command.js';
import { packagesHere } from '../run/packages-here.js';
import { printProblems, withProject, type RunContext } from '../run/run-context.js';

export const explainCommand = command({
  summary: 'Explain a code, a field or a resource.',
  description:
    'A code is what a problem is printed with. A field is TYPE.FIELD, and so on into records. A resource is its address in this project. Works without network.',
  examples: [
    'sync explain unknown-reference',
    'sync explain Api.labels',
    'sync explain GatewayService.port',
    'sync explain petstore/guide',
  ],
  args: {
    what: argument({ name: 'CODE|TYPE.FIELD|ADDRESS', required: true, description: 'what is not clear' }),
  },
  flags: { format: textOrJson('how to print it') },
  needs: 'context',
  async run({ args: { what }, flags, host, context }) {
    const isJson = flags.format === 'json';
    const explanation = explanations.get(what);
    if (explanation !== undefined) {
      const told = { code: what, ...explanation };
      host.out(isJson ? jsonText(told) : explainedCode(told, context.style));
      return 0;
    }
    const packages = await packagesHere(context);
    const [name, path] = split(what);
    const type = path === undefined ? undefined : await knownType(packages, name);
    if (type !== undefined && path !== undefined) {
      const field = fieldAt(type, path);
      if (field === undefined) throw noField(type, path);
      host.out(
        isJson ? jsonText({ type: type.token, path, ...field }) : explainedField(type, path, field, context.style),
      );
      return 0;
    }
    const others = [...explanations.keys(), ...(await typeTokens(packages))];
    if (!existsSync(join(context.folder, 'sync.yaml'))) throw nothingKnown(what, others);
    return explainAddress(context, what, isJson, others);
  },
});

async function explainAddress(
  context: RunContext,
  address: string,
  isJson: boolean,
  others: readonly string[],
): Promise<ExitCode> {
  return withProject(
    context,
    'explain',
    async (project) => {
      const { desired, diagnostics } = await project.validate();
      if (desired === undefined) {
        printProblems(context, diagnostics);
        return 1;
      }
      const resource = desired.resources.get(address);
      if (resource === undefined) throw nothingKnown(address, [...desired.resources.keys(), ...others]);
      const { dependencyGraph } = await import('@platform-sync/core/resolve/graph');
      const graph = dependencyGraph(desired);
      const told = {
        resource,
        place: desired.sources.place(resource.at),
        needs: graph.get(address) ?? [],
        neededBy: [...graph].flatMap(([other, needs]) => (needs.includes(address) ? [other] : [])),
      };
      context.host.out(
        isJson
          ? jsonText({ ...told, resource: { address, type: resource.type } })
          : explainedResource(told, context.style),
      );
      return 0;
    },
    undefined,
    { isOffline: true, isForEveryStack: true },
  );
}

/** `platform:Api` and `labels.team` of `platform:Api.labels.team`. */
function split(what: string): readonly [string, string | undefined] {
  const dot = what.indexOf('.');
  return dot < 0 ? [what, undefined] : [what.slice(0, dot), what.slice(dot + 1)];
}

function noField(type: ResourceType, path: string): UsageError {
  const meant = nearest(path, Object.keys(type.fields));
  return new UsageError(
    `${type.shortToken} has no field "${path}"`,
    meant === undefined ? `All of them: sync schema ${type.shortToken}` : `did you mean ${type.shortToken}.${meant}?`,
  );
}

function nothingKnown(what: string, known: readonly string[]): UsageError {
  const meant = nearest(what, known);
  return new UsageError(
    `there is no code, field or resource "${what}"`,
    meant === undefined
      ? 'Codes stand in what is printed, fields are TYPE.FIELD. The types: sync schema'
      : `did you mean ${meant}?`,
  );
}
