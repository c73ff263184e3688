import type { Round } from '@platform-sync/core/model/fleet';
import type { TextEdit } from '@platform-sync/catalogue/edit/text';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Destinations } from '@platform-sync/core/model/destination';
import type { Diagnostic, Place } from '@platform-sync/core/model/diagnostic';
import type { DriftNews, DriftResult, DriftSeverity } from '@platform-sync/core/model/drift';
import type { RunNews } from '@platform-sync/core/model/run-news';
import type { EventListener } from '@platform-sync/core/model/event';
import type { Plan, PlanOutline } from '@platform-sync/core/model/plan';
import type { PolicyCheck } from '@platform-sync/core/model/policy-check';
import type { GuardAllowance, ProjectConfig, ProjectNames } from '@platform-sync/core/model/project';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import type {
  AcceptResult,
  ApplyResult,
  FixResult,
  IgnoreResult,
  RecordDriftResult,
  RefreshResult,
  UndoEditsResult,
} from '@platform-sync/core/model/results';
import type { Provider } from '@platform-sync/core/model/provider';
import type { RunBy } from '@platform-sync/core/model/run';
import type { StackState } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { SharedRate, Urgency } from '@platform-sync/core/model/shared-rate';
import type { World } from '@platform-sync/core/model/world';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

export type * from '@platform-sync/core/model/package-source';
export type * from '@platform-sync/core/model/results';
export type { PolicyCheck, PolicyFinding } from '@platform-sync/core/model/policy-check';

/** How a new API description differs for those who call the API: one sentence a change. */
export interface SpecificationChanges {
  readonly breaks: readonly string[];
  readonly mayBreak: readonly string[];
  readonly safe: readonly string[];
}

/** By the texts before and after; `now`: for what was announced to end, milliseconds. */
export type CompareSpecifications = (before: string, after: string, now: number) => SpecificationChanges;

/** What a program or the CLI says to open a project. */
export interface OpenOptions {
  /** Folder that holds sync.yaml. */
  readonly cwd: string;
  /** Default: SYNC_STACK of `env`, else what sync.yaml says. */
  readonly stack?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Beats sync.yaml. */
  readonly concurrency?: number;
  /** `timing.settleSeconds`. Beats sync.yaml. */
  readonly settleSeconds?: number;
  /** Values of parameters by name, as text: they beat `varFiles`, SYNC_VAR_… of `env`, the stack's and the default. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Files of values of parameters (YAML or JSON), absolute paths, later ones over earlier ones. */
  readonly varFiles?: readonly string[];
  /** Command name for the User-Agent and the lease: `plan`, `apply` … */
  readonly purpose: string;
  /**
   * The files are somebody's proposal: servers, credentials, state and webhook come from sync.yaml as of this commit, no
   * lookup sends a secret, and state is only read.
   */
  readonly untrusted?: { readonly base: string };
  /** Works without a sync.yaml, too: with what the environment says. For `lookup`. */
  readonly isOptional?: true;
  /** Nothing is going to be sent: secrets of servers, state and webhook may be unset. For `validate`. Or nothing but to the state. */
  readonly isOffline?: true | 'but for the state';
  /** Where no stack is named, any will do: all are looked at in turn. */
  readonly isForEveryStack?: true;
  /** Provider packages by name, loaded on demand (`sdk/registry.ts`). */
  readonly packages: PackageSource;
  /** What a new API description means for callers, for rules that ask; left out, rules see no change. */
  readonly compareSpecifications?: () => Promise<CompareSpecifications>;
  readonly onEvent?: EventListener;
  /** Opens the state; left out, the backend that sync.yaml names. */
  readonly openState?: (config: ProjectConfig) => Promise<StateStore>;
  /** Time, ids and chance; left out, this machine's. */
  readonly world?: World;
  /** Texts of files that somebody has open and has not saved, by absolute path. */
  readonly texts?: ReadonlyMap<string, string>;
  /** It is a test: the state is empty and in memory, and the rules of these files judge instead of the project's. */
  readonly rehearsal?: { readonly rules: readonly string[] };
  /** Only a part of the project is loaded; whoever asks knows of the rest what it would say. */
  readonly part?: ProjectPart;
  /** What `evaluate` gives the value of. */
  readonly expression?: string;
  /** See `ProviderContext.round`. */
  readonly round?: Round;
  /**
   * Where the state is in PostgreSQL: `state.requestsPerMinute`, and who goes first. Beats sync.yaml, and what the purpose says. `of`:
   * who is asked in the database's place.
   */
  readonly sharedRate?: {
    readonly requestsPerMinute?: number;
    readonly urgency?: Urgency;
    readonly of?: (caller: string) => SharedRate;
  };
}

/** The same behind the engine's door: nothing in it takes a world from the runtime. */
export type OptionsInWorld = OpenOptions & Required<Pick<OpenOptions, 'world'>>;

/** Files of the catalogue and records of the state that are enough for what is asked. */
export interface ProjectPart {
  /** Relative to the root, in the order in which the whole catalogue is read. */
  readonly files: readonly string[];
  readonly addresses: readonly Address[];
  /** The state that the rest was seen in; where it is another one now, nothing is read. Left out: no state is asked. */
  readonly state?: Pick<StackState, 'lineage' | 'serial'>;
}

export interface ValidateResult {
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Present when there were no errors. */
  readonly desired?: DesiredState;
  readonly files: number;
  /**
   * With `texts`: what is wrong in one file of the catalogue, as it stands in other texts, by the rest of the project as it was checked
   * here. Undefined where that takes a check of the whole. What the whole alone finds stays as it was.
   */
  readonly recheck?: (
    file: string,
    texts: NonNullable<OpenOptions['texts']>,
  ) => Promise<readonly Diagnostic[] | undefined>;
}

export interface PlanOptions {
  readonly mode?: 'apply' | 'destroy' | 'adopt';
  /** Default `auto`. */
  readonly refresh?: 'auto' | 'full' | 'none';
  /**
   * Only these addresses, what they depend on, and (for deletes) what depends on them. Terms stand for addresses: `payments/**` (any
   * keys), `type:Api`, `labels.team=payments` (a field), `dependents:petstore`, `changed:origin/main` (of which the files say
   * something else than where this branch left that commit).
   */
  readonly targets?: readonly string[];
  /** Addresses or terms, as above. */
  readonly excludes?: readonly string[];
  /** Addresses to replace although nothing forces it. */
  readonly replace?: readonly Address[];
  /** Addresses whose write-only and secret values are sent again although the file says what it said before. */
  readonly resend?: readonly Address[];
  /** Creates and updates only: what deletes an object is left out, and named in the plan. Not for `destroy`. */
  readonly noDelete?: boolean;
  /** What `pulumi stack export` wrote: resources without a record are its objects, by id. Only for `adopt`. */
  readonly fromPulumi?: string;
  /** Where secrets go that are shown once, by the outputs that name them: the plan says so. */
  readonly destinations?: Destinations;
  /** Guards lifted on the command line. */
  readonly allow?: readonly GuardAllowance[];
  /** Another state of the catalogue to compare with, so that the plan can tell this branch's changes from others. */
  readonly base?: PlanBase;
}

/** A commit of the git repository that the project lies in, or a folder with a sync.yaml. */
export type PlanBase = { readonly ref: string } | { readonly folder: string };

/** `plan` is absent when errors kept it from being made. `apply` takes this very object: it knows what the document leaves out. */
export interface PlanResult {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** A plan to be applied, once it was shown: see `Project.outlined`. */
export type OutlinedPlan = Omit<PlanResult, 'plan'> & { readonly plan?: PlanOutline };

export interface ApplyOptions {
  readonly lockTimeoutMs?: number;
  /** Who lets it be carried out, for the history. */
  readonly by?: RunBy;
  /** The freeze that it may write in spite of, by its id. */
  readonly frozen?: string;
  /** Stop starting steps after the first failure; default false: what does not depend on it goes on. */
  readonly failFast?: boolean;
  /** Where secrets go that are shown once, by the outputs that name them. */
  readonly destinations?: Destinations;
  /** Aborted = drain: start nothing new, finish what is in flight. */
  readonly drain?: AbortSignal;
  /** Aborted = stop now. */
  readonly signal?: AbortSignal;
}

export interface ReviewedOptions extends ApplyOptions {
  /** What was approved is what the plan does: catalogue, state and version may have moved on, as long as its effect is the same. */
  readonly byEffect?: boolean;
}

/** Which part of a stack some work is about; left out: all of it. */
export interface SelectionOptions {
  /** Addresses with what is nested in them, or terms: see `PlanOptions`. */
  readonly targets?: readonly string[];
  readonly excludes?: readonly string[];
}

export interface RefreshOptions extends ApplyOptions, SelectionOptions {}

export interface ExportOptions extends SelectionOptions {
  /** Names of resource types (`Api`, `platform:Api`); default: all. */
  readonly types?: readonly string[];
  /**
   * `FIELD=PATTERN`, `FIELD.KEY=PATTERN`, `TYPE.FIELD=PATTERN`; `*` is any text. One field more than once: any of them.
   * A filter looks at types that have the field; what lives in an object comes and goes with it.
   */
  readonly filters?: readonly string[];
  /** Specifications and pages become files of sources, as far as a file can say what the object is. */
  readonly asSources?: boolean;
  /** A program of Pulumi's in YAML and the file that imports its objects, in place of a catalogue. */
  readonly asPulumi?: boolean;
}

export interface ExportResult {
  /** Path inside a folder of the catalogue, forward slashes → text. Empty when there were errors. */
  readonly files: ReadonlyMap<string, string>;
  /** Errors; warnings name what was left out. */
  readonly diagnostics: readonly Diagnostic[];
  readonly objects: number;
  /** Of each type that has objects or can't be listed: how many were written, and how many were not. */
  readonly types: readonly ExportedType[];
}

export interface ExportedType {
  readonly type: string;
  readonly written: number;
  /** Why → how many: the code of the warning, `untouched` (settings as they are at first), or `container-left-out`. Of lists 1. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** A check of a part is only a look: it is not kept, and resolves nothing. */
export interface OpenedProject {
  readonly project?: Project;
  readonly diagnostics: readonly Diagnostic[];
  /** Without a project: what it is known to be called. */
  readonly names?: ProjectNames;
}

/** Secrets are `{"$secret": …}`, and what is not known yet `{"$unknown": …}`. */
export interface Evaluated {
  /** Absent when there were errors. */
  readonly value?: Json;
  /** In written order, each before what it is made from in turn. */
  readonly parts: readonly EvaluatedPart[];
  /** Tokens of the lookups that it takes. */
  readonly lookups: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface EvaluatedPart {
  /** As it is written: `${petstore.id}`. */
  readonly text: string;
  readonly from: 'file' | 'overlay' | 'parameter' | 'settings' | 'environment' | 'state' | 'lookup';
  /** `catalogue/pets.yaml:4`, or what gave a parameter: `--var`. */
  readonly place?: string;
  readonly value: Json;
  /** 0: the expression names it itself. */
  readonly depth: number;
}

/** Where accepted values are written. */
export interface AcceptOptions {
  /** An overlay of the stack, relative to the project's folder: values get a patch there, and other files stay as they are. */
  readonly overlay?: string;
}

export interface DriftOptions extends SelectionOptions {
  /** Default `auto`. */
  readonly refresh?: 'auto' | 'full';
  /** False: what the check sees is not kept in the state. Default true. */
  readonly remember?: boolean;
}

export interface IgnoreOptions {
  readonly reason: string;
  /** Last day the rules hold, `YYYY-MM-DD`. */
  readonly until?: string;
}

/** Every finding of a check that can be reverted, and whose resource has nothing else to apply. */
export interface AllFindings {
  /** The least grave of them. */
  readonly severity: DriftSeverity;
  /** Of more, none is reverted. */
  readonly atMost: number;
}

/** An open project: every use case of the tool. Close it when done. */
export interface Project {
  readonly config: ProjectConfig;
  /** Stacks that sync.yaml declares. */
  readonly stacks: readonly string[];
  /** Those of the program, and those that sync.yaml describes. */
  readonly packages: PackageSource;
  /** Everything that can be known without network and without state. */
  validate(): Promise<ValidateResult>;
  /** Reads what exists, compares, and says what would be done. Writes nothing. */
  plan(options?: PlanOptions): Promise<PlanResult>;
  /** The same plan for `apply`, without what only its readers need: they have seen it, and of many steps it is a lot. */
  outlined(planned: PlanResult, plan: Plan): Required<OutlinedPlan>;
  /**
   * Holds the stack during work: nobody else changes it from the first plan to the end of an apply in it. Waits for another
   * holder up to `lockTimeoutMs`; rejects with DiagnosticError when the stack can't be had. `giveBack` is for work that must
   * end in the middle.
   */
  hold<T>(
    options: Pick<ApplyOptions, 'lockTimeoutMs' | 'frozen' | 'signal'>,
    work: (giveBack: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
  /** Carries out a plan made by this project object. */
  apply(planned: OutlinedPlan, options?: ApplyOptions): Promise<ApplyResult>;
  /** Carries out a reviewed plan document, or nothing: plans again and compares first. */
  applyReviewed(reviewed: Plan, options?: ReviewedOptions): Promise<ApplyResult>;
  /**
   * A plan that brings what a run changed back to what was recorded before it; of some addresses, or of all. `apply` takes the result.
   * What is not reversible, and where the catalogue says otherwise, is told.
   */
  undo(run: number, addresses: readonly Address[], options?: Pick<PlanOptions, 'allow'>): Promise<PlanResult>;
  /** Writes into the catalogue files what they say otherwise than that brings back. Sends nothing. */
  editUndone(
    run: number,
    addresses: readonly Address[],
    options?: { readonly dryRun?: boolean },
  ): Promise<UndoEditsResult>;
  /** Actual into state, nothing else. */
  refresh(options?: RefreshOptions): Promise<RefreshResult>;
  /** Brings one existing object under management at an address of the catalogue. */
  importResource(address: Address, id: string, options?: ApplyOptions): Promise<ImportResult>;
  /** The same for many, by one plan: all of them, or none. */
  importResources(requests: readonly ImportRequest[], options?: ApplyOptions): Promise<ImportsResult>;
  /** Recorded against actual: what was changed behind the tool's back. Changes nothing; takes no lease. */
  drift(options?: DriftOptions): Promise<DriftResult>;
  /**
   * Tells a receiver, named by its address, all changes that it has not acknowledged, those that other checks saw first, too.
   * `send` gives the problem, or undefined when the receiver has taken them; what it did not take is told after a later check.
   */
  tellDrift(
    result: DriftResult,
    address: string,
    send: (news: DriftNews) => Promise<Diagnostic | undefined>,
  ): Promise<Diagnostic | undefined>;
  /** The same about runs: how one ended, what earlier ones left untold, and which ended without a word. */
  tellRuns(
    ended: RunNews | undefined,
    address: string,
    send: (news: RunNews) => Promise<Diagnostic | undefined>,
  ): Promise<Diagnostic | undefined>;
  /** Keeps for `tellRuns` that the last run ended without a word; before another one takes the stack. */
  noteLostRun(): Promise<void>;
  /** A plan that puts findings back; findings are named by id, address or `address.field`. `apply` takes the result. */
  revertDrift(findings: readonly string[] | AllFindings, options?: Pick<PlanOptions, 'allow'>): Promise<PlanResult>;
  /** Writes what the platform has into the catalogue files. State stays as it is: the next apply brings it up to date. */
  acceptDrift(findings: readonly string[], options?: AcceptOptions): Promise<AcceptResult>;
  /** Writes the moves and adoptions that a plan found by key into the catalogue files, as aliases and imports. */
  fix(plan: Plan, options?: { readonly dryRun?: boolean }): Promise<FixResult>;
  /** The edits that give a resource another key, with all that names it; the next plan moves its record. Writes nothing. */
  rename(address: Address, key: string): Promise<RenameResult>;
  /** Takes what the platform has into state, for these findings only. */
  recordDrift(findings: readonly string[], options?: ApplyOptions): Promise<RecordDriftResult>;
  /** Adds rules to sync.yaml that leave these findings out of the check. */
  ignoreDrift(findings: readonly string[], options: IgnoreOptions): Promise<IgnoreResult>;
  /** Writes what exists on the platform as catalogue files. Neither state nor the project's catalogue is looked at. */
  export(options?: ExportOptions): Promise<ExportResult>;
  /** What the files of all stacks could do with secrets. Sends nothing, and opens no state. */
  checkPolicy(): Promise<PolicyCheck>;
  /** Runs the cases that stand beside the project's rules. Sends nothing, and opens no state. */
  testRules(): Promise<RuleTests>;
  /** What the project's rules say of every record of the stack. Sends nothing. */
  judgeRecords(): Promise<RuleCheck>;
  /**
   * The value of the expression that the project was opened with, and where its parts come from. `asks`: the recorded state is read
   * and lookups are made where it needs them; without, what needs them is unknown.
   */
  evaluate(options: { readonly asks: boolean }): Promise<Evaluated>;
  /** Runs one lookup; arguments plain. */
  lookup(token: string, args: Json): Promise<{ readonly result?: Json; readonly diagnostics: readonly Diagnostic[] }>;
  /** Objects of a type as the platform shows them, secrets left out: the one that is meant, or all. */
  objects(question: ObjectQuestion): Promise<ShownObjects>;
  /** A provider as this project starts it. Sends nothing. */
  provider(name: string): Promise<Provider>;
  /** The stack's state store, opened on first use. */
  state(): Promise<StateStore>;
  close(): Promise<void>;
}

/** Edits by file, relative to the project folder, over the text that they are of; or why there are none. */
export type RenameResult =
  | { readonly files: ReadonlyMap<string, { readonly text: string; readonly edits: readonly TextEdit[] }> }
  | { readonly why: string };

/** What became of the cases that stand beside rules. */
export interface RuleTests {
  readonly rules: number;
  /** With errors, rules that have none were tried all the same. */
  readonly diagnostics: readonly Diagnostic[];
  readonly cases: readonly {
    readonly name: string;
    /** `policies/owner.yaml:12`. */
    readonly place: string;
    readonly passes: boolean;
    readonly problems: readonly string[];
  }[];
}

/** What rules say of what is recorded. */
export interface RuleCheck {
  readonly rules: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly findings: readonly {
    readonly rule: string;
    readonly level: 'advise' | 'warn' | 'deny';
    readonly place: string;
    readonly address?: Address;
    readonly message: string;
  }[];
}

/** Which objects somebody wants to see. */
export interface ObjectQuestion {
  /** `GatewayService`, `platform:GatewayService`, or its token. */
  readonly type: string;
  readonly many: 'one' | 'all';
  /** What people know it by: a name, a key where that is one field, or its id. */
  readonly name?: string;
  /** What it lives in, outermost first: names, or `field=id`. */
  readonly parents?: readonly string[];
  /** `port=80`, `name.contains=pay`: all must hold. */
  readonly filters?: readonly string[];
}

export interface ShownObjects {
  /** Absent when there is no such type. */
  readonly type?: ResourceType;
  /** Absent with errors. */
  readonly objects?: readonly JsonObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** An existing object that a resource of the catalogue is to take over. */
export interface ImportRequest {
  readonly address: Address;
  /** In the form that its type has for it. */
  readonly id: string;
  /** Where a list names it. */
  readonly place?: Place;
}

export interface ImportResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly address?: Address;
  readonly id?: string;
}

/** What became of several requests: all were taken in, or none. */
export interface ImportsResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly imported: readonly { readonly address: Address; readonly id: string }[];
}
