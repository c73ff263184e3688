import { argument, boolean, textOrJson } from '../arguments/flag.js';
import { compareText } from '@platform-sync/core/model/address';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import { count } from '@platform-sync/report/words/value';
import { defined } from '@platform-sync/core/model/value';
import type { LookupType } from '@platform-sync/core/model/provider';
import { lookupSchemaText, packageListText, resourceSchemaText } from '@platform-sync/report/text/schema';
import type { ExitCode } from '../process/exit-code.js';
import { allPackages, findSchema, findType } from '../arguments/package-index.js';
import { printProblems, withProject, type RunContext } from '../run/run-context.js';
import { UsageError } from '../process/usage-error.js';
import { command } from '../run/command.js';
import { packagesHere } from '../run/packages-here.js';

export const schemaCommand = command({
  summary: 'Explain a resource type or a lookup.',
  description:
    'Without a name: lists all of them. Fields, limits, what replaces, the form of the import id; of a derived type also the rule behind each field and its corrections.',
  examples: [
    'sync schema',
    'sync schema Api',
    'sync schema ApiDocument --example',
    'sync schema GatewayService',
    'sync schema --editor',
    'sync schema getPortal --format json',
  ],
  args: {
    name: argument({ name: 'NAME', description: 'type or lookup: Api, platform:Api, getTeam' }),
  },
  flags: {
    editor: boolean({ description: 'write the schema for editors (with the types that this project uses)' }),
    example: boolean({ description: 'a block to start from (with limits as comments)' }),
    format: textOrJson('how to print it'),
  },
  needs: 'context',
  async run({ args, flags, host, context }) {
    if (flags.editor) return writeForEditors(context);
    const packages = await packagesHere(context);
    const json = flags.format === 'json';
    if (flags.example && args.name === undefined)
      throw new UsageError('--example is about one type', 'Name it: sync schema TYPE --example');
    if (args.name === undefined) {
      const all = await allPackages(packages);
      const types = all.flatMap((provider) => [...provider.types.values()]);
      const lookups = all.flatMap((provider) => [...provider.lookups.values()]);
      host.out(json ? jsonText(listed(types, lookups)) : packageListText(types, lookups, context.style));
      return 0;
    }
    if (flags.example) {
      const type = await findType(packages, args.name);
      const { types, validate } = await packages.load(type.provider);
      const { exampleText, fieldsApart } = await import('@platform-sync/report/text/example');
      const apart = await fieldsApart(type, (properties) => validate(type.token, properties));
      host.out(exampleText(type, (token) => types.get(token), apart));
      return 0;
    }
    const found = await findSchema(packages, args.name);
    const isType = 'fields' in found;
    const origin = isType ? (await packages.load(found.provider)).originOf?.(found.token) : undefined;
    if (json) host.out(jsonText({ ...found, ...defined({ origin }) }));
    else host.out(isType ? resourceSchemaText(found, context.style, origin) : lookupSchemaText(found, context.style));
    return 0;
  },
});

/** Types of the catalogue in the order of how often they are used; without a catalogue that can be read, problems. */
async function writeForEditors(context: RunContext): Promise<ExitCode> {
  return withProject(
    context,
    'schema',
    async (project) => {
      const { desired, diagnostics } = await project.validate();
      if (desired === undefined) {
        printProblems(context, diagnostics);
        return 1;
      }
      const uses = new Map<string, number>();
      for (const { type } of desired.resources.values()) uses.set(type, (uses.get(type) ?? 0) + 1);
      const used = [...uses].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0])).map(([token]) => token);
      const packages = await allPackages(project.packages);
      const [{ schemaOfUsed }, { lookedUpTypes }] = await Promise.all([
        import('@platform-sync/report/editor/used-types'),
        import('@platform-sync/report/editor/used-types'),
      ]);
      const { text, inFull, byName } = schemaOfUsed(packages, used, lookedUpTypes(desired, packages));
      const { writeSchemas } = await import('../init/editor-files.js');
      const written = await writeSchemas(context.folder, text);
      context.host.out(written.map((file) => `wrote ${file}\n`).join(''));
      const more = byName.length === 0 ? '' : `; there was no room for ${byName.map(shortToken).join(', ')}`;
      context.host.out(`Editors know ${count(inFull.length, 'type')} in full, the others by name${more}.\n`);
      return 0;
    },
    undefined,
    { isOffline: true, isForEveryStack: true },
  );
}

function listed(types: readonly ResourceType[], lookups: readonly LookupType[]): object {
  const derived = types.filter((type) => type.derived === true);
  const proven = derived.filter((type) => type.proven === true).map((type) => type.token);
  return {
    types: types.map((type) => type.token),
    derived: derived.map((type) => type.token),
    proven,
    lookups: lookups.map((lookup) => lookup.token),
  };
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
