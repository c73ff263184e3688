import type { FleetRow, JobQueue, PipelineRule } from './fleet.js';
import type { World } from './world.js';

/** What somebody may do; each may do what those before it may. */
export const consoleRoles = ['viewer', 'planner', 'approver', 'operator'] as const;

export type ConsoleRole = (typeof consoleRoles)[number];

/** Who has a role, and for which stacks. Whoever no grant names may do nothing. */
export interface RoleGrant {
  readonly role: ConsoleRole;
  /** Proven email addresses, or subjects of the issuer. */
  readonly people?: readonly string[];
  /** As the issuer says them; `*`: whoever can log in. */
  readonly groups?: readonly string[];
  /** `PROJECT/STACK`, or patterns of it; left out: all. */
  readonly stacks?: readonly string[];
  /** All of them; left out: any. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** `console` of fleet.yaml. */
export interface ConsoleSettings {
  /** Where people reach it. */
  readonly url: string;
  readonly login: {
    readonly issuer: string;
    readonly client: string;
    /** Claim that lists groups; left out: `groups`. */
    readonly groups?: string;
  };
  readonly roles: readonly RoleGrant[];
  /** Page of the repository; left out: commits and requests lead nowhere, and edits are proposed nowhere. */
  readonly repository?: { readonly github?: string; readonly gitlab?: string };
  /** How many people have to approve an effect; left out: one who did not write it. */
  readonly approvals?: number;
}

/** A stack as the checkout knows it. */
export type FleetStack = Pick<FleetRow, 'project' | 'stack' | 'folder' | 'labels' | 'owners'>;

/** The fleet as its files say now. */
export interface ConsoleFleet {
  readonly name: string;
  readonly settings: ConsoleSettings;
  readonly stacks: readonly FleetStack[];
  /** Whose jobs may ask for what, by the id token of their forge. */
  readonly pipelines?: readonly PipelineRule[];
}

/** What a console is given by the program that starts it. */
export interface ConsoleOptions {
  /** Address of the database that keeps the state of all stacks. */
  readonly database: string;
  readonly world: World;
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly fleet: () => Promise<ConsoleFleet>;
  /** Of the client at the issuer; left out: it has none. */
  readonly clientSecret?: string;
  /** What the forges sign with; left out: their hooks are refused. */
  readonly hookSecrets: { readonly github?: string; readonly gitlab?: string };
  /** Told to everybody; rejects when it can't be. Left out: nobody can be told. */
  readonly tell?: (words: string) => Promise<void>;
  readonly onProblem: (words: string) => void;
}

export interface RunningConsole {
  /** Where it listens. */
  readonly url: string;
  close(): Promise<void>;
}

/** The package that has the queue and the console. */
export interface FleetPackage {
  openQueue(url: string, world: World): Promise<JobQueue>;
  openConsole(options: ConsoleOptions): Promise<RunningConsole>;
}
