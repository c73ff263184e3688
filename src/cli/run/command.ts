import type { Interfaces } from '@oclif/core';
import type { Project } from '@platform-sync/engine/api';
import type { GlobalFlags } from '../arguments/global-flags.js';
import type { ExitCode } from '../process/exit-code.js';
import type { Host } from '../process/host.js';
import { parsedLine, type Line, type Syntax } from './parsed-line.js';
import { withContext, withProject, type RunContext } from './run-context.js';

/** What stands ready when a command runs. `server`: a project, or without a sync.yaml the server of the environment. */
interface Ready {
  readonly nothing: unknown;
  readonly context: { readonly context: RunContext };
  readonly server: { readonly context: RunContext; readonly project: Project };
  readonly project: { readonly context: RunContext; readonly project: Project };
}

/** A command as data: what help shows, what a line may say, what must stand ready, and what is done. */
export interface Command extends Syntax {
  readonly summary: string;
  readonly description?: string;
  readonly examples: readonly string[];
  readonly needs: keyof Ready;
  /** Refuses a line that makes no sense, before anything is opened; `run` gets what it makes of the line. */
  given?(line: Line<GlobalFlags, object> & { readonly host: Host }): unknown;
  /** Does the work. Problems are printed and told by the code; only bugs are thrown. */
  run(call: Call<object, object, 'nothing', unknown> & Partial<Ready['project']>): Promise<ExitCode>;
}

/** Command id → what loads it. */
export type CommandLoaders = Readonly<Record<string, (() => Promise<Command>) | undefined>>;

type Call<F, A, N extends keyof Ready, G> = Line<F & GlobalFlags, A> &
  Ready[N] & { readonly host: Host; readonly given: G };

/** The same, typed: flags and arguments reach `given` and `run` as they are described. */
interface TypedCommand<F, A, N extends keyof Ready, G> extends Omit<Command, 'flags' | 'args' | 'given' | 'run'> {
  readonly flags?: F;
  readonly args?: A;
  readonly needs: N;
  given?(line: Line<FlagValues<F> & GlobalFlags, ArgumentValues<A>> & { readonly host: Host }): G | Promise<G>;
  run(call: Call<FlagValues<F>, ArgumentValues<A>, N, G>): Promise<ExitCode>;
}

type FlagValues<F> = F extends Interfaces.FlagInput<infer V> ? V : object;
type ArgumentValues<A> = A extends Interfaces.ArgInput<infer V> ? V : object;

export function command<N extends keyof Ready, F = object, A = object, G = undefined>(
  described: TypedCommand<F, A, N, G>,
): Command {
  return described as unknown as Command;
}

/** The forms that it prints in; none: text alone. */
export function formatsOf({ flags }: Command): readonly string[] {
  const format = flags?.['format'];
  return format?.type === 'option' ? (format.options ?? []) : [];
}

/** Reads the line, makes ready what the command needs, and runs it. */
export async function runCommand(id: string, command: Command, argv: readonly string[], host: Host): Promise<ExitCode> {
  const line = { ...(await parsedLine(id, command, argv)), host };
  const call = { ...line, given: await command.given?.(line) };
  const { needs } = command;
  if (needs === 'nothing') return command.run(call);
  return withContext(host, line.flags, async (context) => {
    if (needs === 'context') return command.run({ ...call, context });
    const work = async (project: Project): Promise<ExitCode> => command.run({ ...call, context, project });
    return withProject(context, id.replace(':', ' '), work, undefined, needs === 'server' ? { isOptional: true } : {});
  });
}
