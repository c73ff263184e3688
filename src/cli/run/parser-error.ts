import type { CommandClass } from './sync-command.js';
import { UsageError } from '../process/usage-error.js';
import { unknownFlag } from '../arguments/unknown-flag.js';

/** What the parser says of a command line, in words of our own; undefined: nothing to say better. Recognised by shape. */
export function usageErrorOf(error: unknown, command: CommandClass): UsageError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { baseFlags, flags, id } = command;
  if (error.message.startsWith('Nonexistent flag'))
    return unknownFlag(String(listAt(error, 'flags')[0] ?? ''), id, Object.keys({ ...baseFlags, ...flags }));
  if (/^Missing \d+ required arg/.test(error.message)) return missing(listAt(error, 'args'), id.replace(':', ' '));
  return undefined;
}

function missing(args: readonly unknown[], command: string): UsageError {
  const texts = args.map((arg) => {
    const [name, description] = ['name', 'description'].map((key) => textAt(arg, key));
    return `${(name ?? '').toUpperCase()} (${description ?? ''})`;
  });
  return new UsageError(`sync ${command} needs ${texts.join(' and ')}`, `sync ${command} --help shows how`);
}

function listAt(error: object, name: string): readonly unknown[] {
  const value: unknown = Reflect.get(error, name);
  return Array.isArray(value) ? value : [];
}

function textAt(arg: unknown, name: string): string {
  const value: unknown = typeof arg === 'object' && arg !== null ? Reflect.get(arg, name) : undefined;
  return typeof value === 'string' ? value : '';
}
