import { closeSync, fstatSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Destination, Destinations } from '@platform-sync/core/model/destination';
import { UsageError } from '../process/usage-error.js';
import { fileReason } from '../files/file-reason.js';
import { isWithin } from '@platform-sync/core/model/within';
import { realPlace, treeOf } from '@platform-sync/engine/trust/paths';
import type { World } from '@platform-sync/core/model/world';

/** The environment's way to say `--output NAME=…`. */
const variable = 'SYNC_OUTPUT_';
const forms =
  'destinations are file:/path (outside the checkout), fd:3 (an open file descriptor), cmd:COMMAND (reads it from standard input)';

/** Whose words are read. */
interface Place {
  readonly cwd: string;
  /** Of the project. */
  readonly folder: string;
  readonly world: World;
}

/** Where the operator has secrets go that are shown once. What can't take one is told before anything is read. */
export function destinationsOf(
  said: readonly string[] | undefined,
  { env, ...place }: Place & { readonly env: NodeJS.ProcessEnv },
): Destinations | undefined {
  const ofEnvironment = Object.entries(env).flatMap(([name, value]) =>
    name.startsWith(variable) && value !== undefined && value !== ''
      ? [[name.slice(variable.length), value] as const]
      : [],
  );
  const words = (said ?? []).map((word) => {
    const equals = word.indexOf('=');
    if (equals <= 0) throw new UsageError(`--output takes NAME=DESTINATION, not ${word}`, forms);
    return [word.slice(0, equals), word.slice(equals + 1)] as const;
  });
  const made = (name: string, text: string): Destination => destination(name, text, place);
  if (ofEnvironment.length + words.length === 0) return undefined;
  return new Map([
    ...ofEnvironment.map(([name, text]) => [name, { ...made(name, text), isForAny: true as const }] as const),
    ...words.map(([name, text]) => [name, made(name, text)] as const),
  ]);
}

function destination(name: string, text: string, { cwd, folder, world }: Place): Destination {
  const colon = text.indexOf(':');
  const [form, rest] = [text.slice(0, colon), text.slice(colon + 1)];
  if (colon > 0 && rest !== '') {
    if (form === 'file') return toFile(name, resolve(cwd, rest), folder, world);
    if (form === 'fd') return toDescriptor(name, rest);
    if (form === 'cmd') return toCommand(rest, folder, world);
  }
  throw new UsageError(`the output ${name} has no usable destination`, forms);
}

function toFile(name: string, path: string, folder: string, { id }: World): Destination {
  const problem = whyNoSecretFile(path, folder);
  if (problem !== undefined) throw new UsageError(`the file of the output ${name} ${problem}`, forms);
  return { kind: 'a file', deliver: (secret) => Promise.resolve(writeSecretFile(path, secret, id())) };
}

function toDescriptor(name: string, text: string): Destination {
  const number = Number(text);
  // What is printed goes through 1 and 2, and is kept by whoever runs this.
  const isOpen = Number.isInteger(number) && number > 2 && canWrite(number);
  if (!isOpen) throw new UsageError(`the output ${name} needs an open file descriptor, 3 or higher`, `… ${text}> FILE`);
  const deliver = (secret: string): string | undefined => {
    try {
      writeSync(number, `${secret}\n`);
      return undefined;
    } catch (error) {
      return `the file descriptor takes nothing: ${fileReason(error)}`;
    }
  };
  return { kind: `file descriptor ${text}`, deliver: (secret) => Promise.resolve(deliver(secret)) };
}

function canWrite(number: number): boolean {
  try {
    const about = fstatSync(number);
    return about.isFile() || about.isFIFO() || about.isSocket() || about.isCharacterDevice();
  } catch {
    return false;
  }
}

/** Runs in the project's folder; what it prints is not shown: it may repeat the secret. */
function toCommand(command: string, folder: string, { spawn }: World): Destination {
  const deliver = async (secret: string): Promise<string | undefined> => {
    const { code, signal, failure, isUnread } = await spawn(command, [], { cwd: folder, shell: true, input: secret });
    if (failure !== undefined) return 'the command could not be started';
    if (code !== 0) return `the command ended with ${signal ?? String(code)}`;
    return isUnread ? 'the command did not read it' : undefined;
  };
  return { kind: 'a command', deliver };
}

/** Why a file can't take a secret, as the end of a sentence about it; `folder`: that of the project. */
function whyNoSecretFile(path: string, folder: string): string | undefined {
  const place = realPlace(path);
  if (isWithin(treeOf(folder), place)) return 'lies in the checkout, where it would be shared';
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) return 'is a link or no file';
  const above = lstatSync(dirname(place), { throwIfNoEntry: false });
  return above?.isDirectory() === true ? undefined : 'lies in a folder that does not exist';
}

/** Written beside its place and put there at once: who reads it sees all of it, and nobody else may. Gives why it failed. */
function writeSecretFile(path: string, secret: string, id: string): string | undefined {
  const place = realPlace(path);
  const beside = `${place}.${id}`;
  try {
    const file = openSync(beside, 'wx', 0o600);
    try {
      writeSync(file, secret);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, place);
    return undefined;
  } catch (error) {
    rmSync(beside, { force: true });
    return `the file can't be written: ${fileReason(error)}`;
  }
}
