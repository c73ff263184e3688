import { readFile } from 'node:fs/promises';
import type { Command as FrameworkCommand } from '@oclif/core/command';
import { jsonText } from '@platform-sync/report/words/json-text';
import { commandLoaders } from '../command-list.js';
import { packageFacts } from '../process/package-facts.js';
import { UsageError } from '../process/usage-error.js';
import type { Command } from '../run/command.js';
import { flagsOf } from '../run/parsed-line.js';

/** All that help needs to know of a command; plain JSON, so that help loads no command. */
export type ManifestEntry = Omit<FrameworkCommand.Cached, 'load'>;

/** Command id → entry; written beside the bundle when it is built. */
interface CommandManifest {
  readonly version: string;
  readonly commands: Readonly<Record<string, ManifestEntry>>;
}

function manifestEntry(id: string, command: Command): ManifestEntry {
  return {
    id,
    aliases: [],
    hiddenAliases: [],
    hidden: false,
    strict: command.anyWords !== true,
    summary: command.summary,
    description: command.description,
    examples: [...command.examples],
    args: plain(command.args ?? {}),
    flags: plain(flagsOf(command)),
  };
}

/** Functions (parsers) and undefined members go; the rest is data already. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
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
async function entriesFromSource(): Promise<Readonly<Record<string, ManifestEntry>>> {
  const entries = Object.entries(commandLoaders).map(
    async ([id, load]) => [id, manifestEntry(id, await load())] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** What one command takes, those of a topic, or all, as data: help for programs. */
export async function manifestText(id: string | undefined): Promise<string> {
  const meant = Object.entries(await manifestEntries()).flatMap(([name, entry]) =>
    id === undefined || name === id || name.startsWith(`${id}:`) ? [entry] : [],
  );
  if (meant.length === 0) throw new UsageError(`"${id ?? ''}" is not a command`, 'All commands: sync --help');
  return jsonText(meant.length === 1 ? meant[0] : meant);
}

/** What the build keeps beside the bundle, so that help loads no command. */
export async function commandManifest(): Promise<CommandManifest> {
  return { version: packageFacts().version, commands: await entriesFromSource() };
}
