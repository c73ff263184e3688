import { readFile } from 'node:fs/promises';
import { Config } from '@oclif/core/config';
import type { Command } from '@oclif/core/command';
import type { Interfaces } from '@oclif/core';
import { manifestEntry, type ManifestEntry, type CommandManifest } from './manifest-entry.js';
import { commandLoaders, topics } from '../command-list.js';
import { packageFacts } from '../process/package-facts.js';

/**
 * The framework's configuration without its search for plugins and files: one plugin, whose commands come from the
 * explicit list. Help alone asks for it.
 */
export async function loadOclifConfig(): Promise<Config> {
  const plugin = rootPlugin(await loadables());
  return Config.load({
    root: plugin.root,
    plugins: new Map([[plugin.name, plugin]]),
    userPlugins: false,
    devPlugins: false,
  });
}

function rootPlugin(commands: Command.Loadable[]): Interfaces.Plugin {
  const { name, version, description, root } = packageFacts();
  const pjson: Interfaces.PJSON = {
    name,
    version,
    description,
    oclif: { bin: 'sync', topicSeparator: ' ', dirname: name, additionalHelpFlags: ['-h'] },
  };
  return {
    _base: `${name}@${version}`,
    alias: name,
    commandIDs: Object.keys(commandLoaders),
    commands,
    commandsDir: undefined,
    findCommand: loadCommand,
    hasManifest: true,
    hooks: {},
    isRoot: true,
    load: async () => undefined,
    moduleType: 'module',
    name,
    options: { root },
    pjson,
    root,
    topics: [...topics],
    type: 'core',
    valid: true,
    version,
  };
}

async function loadCommand(id: string): Promise<Command.Class> {
  const loader = commandLoaders[id];
  if (loader === undefined) throw new Error(`bug: no command ${id}`);
  return (await loader()) as unknown as Command.Class;
}

async function loadables(): Promise<Command.Loadable[]> {
  return Object.entries(await manifestEntries()).map(([id, entry]) => ({
    ...entry,
    load: () => loadCommand(id),
  })) as Command.Loadable[];
}

/** The entries of all commands, from the build's manifest where there is one. */
export async function manifestEntries(): Promise<Readonly<Record<string, ManifestEntry>>> {
  return (await builtEntries()) ?? (await entriesFromSource());
}

async function builtEntries(): Promise<Readonly<Record<string, ManifestEntry>> | undefined> {
  const { version, manifest } = packageFacts();
  if (manifest === undefined) return undefined;
  const found = JSON.parse(await readFile(manifest, 'utf8')) as CommandManifest;
  return found.version === version ? found.commands : undefined;
}

/** The entries of all commands, by loading them; the build keeps the result as the manifest. */
export async function entriesFromSource(): Promise<Readonly<Record<string, ManifestEntry>>> {
  const entries = Object.entries(commandLoaders).map(
    async ([id, load]) => [id, manifestEntry(id, await load())] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
