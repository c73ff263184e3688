import { Config } from '@oclif/core/config';
import type { Command } from '@oclif/core/command';
import type { Interfaces } from '@oclif/core';
import { manifestEntries } from './manifest.js';
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
    findCommand: noCommand,
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

/** Help reads entries, and the program runs commands itself: the framework loads none. */
function noCommand(id: string): never {
  throw new Error(`bug: the framework asks for the command ${id}`);
}

async function loadables(): Promise<Command.Loadable[]> {
  return Object.entries(await manifestEntries()).map(([id, entry]) => ({
    ...entry,
    load: async (): Promise<Command.Class> => noCommand(id),
  })) as Command.Loadable[];
}
