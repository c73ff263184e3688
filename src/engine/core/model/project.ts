import type { Diagnostic, Place } from './diagnostic.js';
import type { DriftSettings } from './drift.js';
import type { Expression } from './expression.js';
import type { JsonObject } from './value.js';
import type { StateBackend } from './state-store.js';

export const projectFileName = 'sync.yaml';

/** sync.yaml with the chosen stack's overrides merged and environment variables read. */
export interface ProjectConfig {
  /** Absolute path of the folder that holds sync.yaml. */
  readonly root: string;
  readonly project: string;
  readonly stack: string;
  /** Globs relative to the root. */
  readonly catalogue: readonly string[];
  /** Globs of files that patch the catalogue of this stack. */
  readonly overlays?: readonly string[];
  /** Those of all stacks: such a file is no part of a catalogue. */
  readonly everyOverlay?: readonly string[];
  /** Where sync.yaml says the patterns of this stack, by pattern. */
  readonly patternPlaces?: ReadonlyMap<string, Place>;
  /** Provider name → its settings. */
  readonly providers: Readonly<Record<string, JsonObject>>;
  readonly state: StateBackend;
  /** Setting (`providers.platform.serverUrl`, `state.url`) → the one environment variable its whole value comes from. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Servers, credentials, state and webhook are those of the base commit, not of the files under review. */
  readonly settingsFromBase?: true;
  /** What secrets of the files under review hold: taken out of what is told. */
  readonly hidden?: readonly string[];
  /** Requests in flight at most. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly timing: TimingSettings;
  readonly guards: GuardSettings;
  /** How long runs stay in the history, days; absent: for ever. */
  readonly keepRunsDays?: number;
  /** Present when sync.yaml names policies. */
  readonly policies?: PolicySettings;
  /** Objects that nobody manages are taken over when they have the unique key of a resource. */
  readonly adopt?: 'byKey';
  /** Objects bear a mark that says whose they are, where their type has labels. */
  readonly ownership?: 'label';
  /** Present when sync.yaml says something about labels. */
  readonly labels?: LabelSettings;
  /** Present when sync.yaml has a `drift` block. */
  readonly drift?: DriftSettings;
  /** Present when sync.yaml names rules for specifications. */
  readonly specificationRules?: RuleSetTexts;
  /** Present when sync.yaml declares parameters. */
  readonly parameters?: ParameterSettings;
}

/** A rule set for specifications as the project has it, and those that it extends: path → text. */
export interface RuleSetTexts {
  readonly file: string;
  readonly texts: ReadonlyMap<string, string>;
}

/** What `${param.…}` stands for in the catalogue of the chosen stack. */
export interface ParameterSettings {
  /** Name → plain value, the secret ones marked; undefined where there is none. */
  readonly values: ReadonlyMap<string, Expression | undefined>;
  /** Name → what gives its value: `sync.yaml:9`, `--var`, `SYNC_VAR_REGION`. */
  readonly origins: ReadonlyMap<string, string>;
  /** Why some have none: an error wherever the catalogue is read. */
  readonly problems: readonly Diagnostic[];
}

/** How long things may take, milliseconds. */
export interface TimingSettings {
  /** A lease that shows no sign of life for so long is over. */
  readonly leaseMs: number;
  /** Between two signs of life. */
  readonly beatMs: number;
  /** Until one answer of the platform is there. */
  readonly requestMs: number;
  /** Times a request is sent again after a fault. */
  readonly retries: number;
  /** Until what was written shows in all answers: so long a 404 proves nothing about it. */
  readonly settleMs: number;
}

/** Where the rules stand that plans are judged by. */
export interface PolicySettings {
  /** Globs relative to the root. */
  readonly patterns: readonly string[];
  /** The files as of the base commit, where a proposal is judged: its own count after the merge. */
  readonly ofBase?: readonly RuleText[];
}

/** A file of rules; its name is for people. */
export interface RuleText {
  readonly file: string;
  readonly text: string;
}

export interface GuardSettings {
  readonly maxDeletes: number;
  readonly maxDeletePercent: number;
  /** Absent: no limit. */
  readonly maxUpdatePercent?: number;
  readonly allow: readonly GuardAllowance[];
}

/** A guard lifted by name, with a reason that goes into the plan. */
export interface GuardAllowance {
  readonly guard: string;
  readonly reason: string;
  /** Last day it holds, `YYYY-MM-DD` (UTC). Absent: for good. */
  readonly until?: string;
}

/** Whose the keys of label maps are. */
export interface LabelSettings {
  /** `keys`: those that file or record hold. `all`: every one but those of others. */
  readonly own: 'keys' | 'all';
  /** Beginnings of keys that belong to others; absent: what the provider knows. */
  readonly foreign?: readonly string[];
}

/** What a project that can't be opened is known to be called. */
export interface ProjectNames {
  readonly project?: string;
  readonly stack?: string;
}
