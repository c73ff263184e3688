import type { OpenedProject, OpenOptions, PackageSource } from '@platform-sync/engine/api';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { FleetPackage } from '@platform-sync/core/model/console';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { World } from '@platform-sync/core/model/world';
import type { RunningSandbox, SandboxOptions } from '@platform-sync/sandbox/server';
import type { ExitCode, StopSignal } from './exit-code.js';

/** What a command may touch of the process it runs in. Tests pass their own. */
export interface Host {
  /** Who lets something be carried out, where the program knows it itself. */
  readonly actor?: string;
  /** Results. */
  readonly out: (text: string) => void;
  /** Progress, questions, problems. */
  readonly err: (text: string) => void;
  /** Hears of the problems that are told to people, for output that programs read. */
  readonly problems?: (found: readonly Diagnostic[]) => void;
  /** Takes what a command has done, as data, where a program asked for it and the command prints text. */
  readonly result?: (value: unknown) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Someone can answer a question. */
  readonly interactive: boolean;
  /** Width of the error terminal, in characters. */
  readonly columns: number;
  /** Asks on stderr and resolves with the line that was typed. */
  readonly ask: (question: string) => Promise<string>;
  /** Everything that comes in on stdin. */
  readonly readInput: () => Promise<string>;
  /** Time, ids and chance. */
  readonly world: World;
  /** Listens for what asks a program to end, until the returned function is called. */
  readonly onSignal: (listener: (signal: StopSignal) => void) => () => void;
  /** Ends the process at once. */
  readonly exit: (code: ExitCode) => void;
  /** Makes ready what the network of this machine asks for: proxies. */
  readonly prepareNetwork: () => Promise<void>;
  /** What starts this program once more: a program and its first arguments. */
  readonly program?: readonly string[];
  readonly openProject: OpenProject;
  readonly packages: () => Promise<PackageSource>;
  /** The package that runs jobs; undefined where it is not installed. */
  readonly fleetPackage?: () => Promise<FleetPackage | undefined>;
  readonly startSandbox: (options: SandboxOptions) => Promise<RunningSandbox>;
  /** The platform provider's settings in force, snake_case names. */
  readonly providerConfig: (configured: {
    readonly settings: JsonObject;
    readonly env: Readonly<Record<string, string | undefined>>;
  }) => Promise<Readonly<Record<string, { readonly value: string; readonly secret: boolean }>>>;
}

type OpenProject = (options: OpenOptions) => Promise<OpenedProject>;
