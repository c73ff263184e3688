import type { Command } from '@oclif/core/command';
import type { CommandClass } from '../run/sync-command.js';

/** All that help needs to know of a command; plain JSON, so that help loads no command. */
export type ManifestEntry = Omit<Command.Cached, 'load'>;

/** Command id → entry; written beside the bundle when it is built. */
export interface CommandManifest {
  readonly version: string;
  readonly commands: Readonly<Record<string, ManifestEntry>>;
}

export function manifestEntry(id: string, command: CommandClass): ManifestEntry {
  return {
    id,
    aliases: [],
    hiddenAliases: [],
    hidden: command.hidden === true,
    strict: command.strict,
    summary: command.summary,
    description: command.description,
    examples: command.examples,
    args: plain(command.args),
    flags: plain({ ...command.baseFlags, ...command.flags }),
  };
}

/** Functions (parsers) and undefined members go; the rest is data already. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
