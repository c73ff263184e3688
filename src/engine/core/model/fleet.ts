import type { DriftChange, DriftSeverity, DriftVerb } from './drift.js';
import type { Plan } from './plan.js';
import type { Json } from './value.js';

/** What runs of one process share that ask one server with one token: a pace, and answers to what only reads. */
export interface Round {
  /** For each server and token; left out: what the first of them says. */
  readonly requestsPerMinute?: number;
}

/** Worst first. `unknown`: not everything could be compared. `waiting`: something is to be applied. */
export const stackStates = ['failed', 'unknown', 'blocked', 'drift', 'waiting', 'clean'] as const;

export type StackState = (typeof stackStates)[number];

/** How one stack of a fleet stands. */
export interface FleetRow {
  /** Empty: the project could not be opened. */
  readonly project: string;
  readonly stack: string;
  /** Folder of sync.yaml, relative to the fleet's. */
  readonly folder: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly owners: readonly string[];
  readonly state: StackState;
  /** One sentence. Rows of one cause have the same. */
  readonly cause: string;
  /** ISO 8601 UTC: since when it is so, as far as that is known. */
  readonly since?: string;
  /** Of drift: findings by severity. */
  readonly findings?: Readonly<Record<DriftSeverity, number>>;
  /** Steps that wait to be applied. */
  readonly waiting?: number;
  /** The last check that compared everything. */
  readonly lastGood?: string;
  readonly lastApply?: { readonly at: string; readonly by: string; readonly status?: string };
  readonly requests: number;
  /** Path of its own report, relative to the fleet's. */
  readonly report?: string;
}

/** A round over all stacks of a fleet. Pure JSON. */
export interface FleetReport {
  readonly formatVersion: 1;
  readonly engine: string;
  readonly name: string;
  readonly kind: 'check' | 'plan' | 'status';
  readonly madeAt: string;
  /** Worst first, then by name. */
  readonly rows: readonly FleetRow[];
  readonly requests: number;
}

/** News that many stacks may share. */
export interface FleetCause {
  readonly kind: DriftChange['kind'];
  readonly cause: string;
  /** `payments/prod`, each once. */
  readonly stacks: readonly string[];
}

/** What a check has seen of one stack. `item`: the same when it is gone. */
export interface StackNews extends Pick<FleetCause, 'kind' | 'cause'> {
  readonly stack: string;
  readonly item: string;
}

/** News of all stacks. One that comes twice, because its worker died meanwhile, has the same id. */
export interface FleetMessage {
  readonly id: string;
  readonly causes: readonly FleetCause[];
}

/** Where messages go. */
export interface Teller {
  /** Names the receiver; no address, which may let anybody post. */
  readonly receiver: string;
  readonly isQuiet: () => Promise<boolean>;
  /** True: it was taken. */
  readonly send: (message: FleetMessage) => Promise<boolean>;
}

/** What proposes a commit: a pull or merge request of a forge. */
export interface RequestOrigin {
  readonly platform: 'github' | 'gitlab';
  /** `acme/shop`, or a number. */
  readonly project: string;
  /** When the forge said it, ISO 8601 UTC: what it says of an older commit comes too late. */
  readonly at: string;
}

/** What a request is to be told: how its commit is getting on, by all stacks of the fleet. */
export interface RequestNews extends Pick<RequestOrigin, 'platform' | 'project'> {
  readonly number: number;
  readonly commit: string;
  /** `superseded`: there is a newer commit, which `newest` names. */
  readonly state: 'waiting' | 'done' | 'superseded';
  readonly newest: string;
  readonly answers: readonly RequestAnswer[];
}

/** What became of the plan of one stack; without `found`, it never came to an end. */
export interface RequestAnswer
  extends Pick<FleetRow, 'project' | 'stack'>, Partial<Pick<JobFound, 'found' | 'comment'>> {}

/** The most urgent first. */
export const jobKinds = ['apply', 'settle', 'plan', 'check'] as const;

/** What somebody may ask for by name alone. */
export const askedKinds = ['apply', 'plan', 'check'] as const satisfies readonly (typeof jobKinds)[number][];

/** What somebody wants done about findings of a drift check. */
export interface Settlement {
  readonly verb: DriftVerb;
  /** Their ids. */
  readonly findings: readonly string[];
  /** Of `ignore`: why. */
  readonly reason?: string;
  /** Of `ignore`: the last day that it holds, `YYYY-MM-DD`. */
  readonly until?: string;
}

/** What came of it. */
export interface Settled extends Settlement {
  readonly outcome: 'done' | 'failed';
  /** One sentence. */
  readonly words: string;
  /** Who asked. */
  readonly by?: string;
  /** What the files become, as git shows it. */
  readonly diff?: string;
  /** The pull or merge request that proposes it. */
  readonly url?: string;
  /** Of `revert`: the effect that waits for approval. */
  readonly effect?: string;
}

/** What a worker does with one stack. */
export interface Job {
  readonly kind: (typeof jobKinds)[number];
  readonly project: string;
  readonly stack: string;
  /** Of a schedule: the same for all that one tick of it began. Left out: somebody asked. */
  readonly round?: string;
  /** Of a plan: the whole id of a commit that somebody proposes. Left out: what the worker's own checkout says. */
  readonly commit?: string;
  /** What proposes it, such as `12`: a newer commit of it takes the place of one that waits. Left out: the commit itself. */
  readonly request?: string;
  /** Of an apply: the commit that the worker's checkout must be at, as whoever asked for it saw it. Left out: any. */
  readonly head?: string;
  /** Of a proposal: the request that hears what comes of it. */
  readonly from?: RequestOrigin;
  /** Of a proposal: who brings it, as its forge says; of findings that are settled: who asked, by all their names. */
  readonly authors?: readonly string[];
  /** Of an apply: the effect that was approved; whatever does something else is not done. */
  readonly effect?: string;
  /** Of an apply: who let it be done; of findings that are settled: who asked. */
  readonly by?: string;
  /** Of `settle`, and of the apply of a plan that reverts findings. */
  readonly settlement?: Settlement;
}

/** The whole id of a commit, and nothing that git could take for something else. */
export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** How a job left a stack. */
export interface JobFound {
  readonly found: Pick<FleetRow, 'state' | 'cause'> & Partial<FleetRow>;
  /** What waits for approval. */
  readonly plan?: Plan;
  /** Who wrote what it plans, by names and addresses; empty: nobody knows. */
  readonly authors?: readonly string[];
  /** Of a proposal that touches the stack: what its request is told, as the worker's program writes it. */
  readonly comment?: Json;
  readonly settled?: Settled;
}

/** What jobs of a pipeline may put into the queue by the id token of their forge. One of `github` and `gitlab` names the repository. */
export interface PipelineRule {
  readonly github?: string;
  readonly gitlab?: string;
  /** Left out: the forge's own service. */
  readonly issuer?: string;
  readonly audience: string;
  /** Patterns with `*`; left out: any. */
  readonly ref?: string;
  readonly environment?: string;
  readonly may: readonly (typeof askedKinds)[number][];
  /** `PROJECT/STACK`, or patterns of it. */
  readonly stacks: readonly string[];
}

/** A job that is not done. `failed`: it was begun as often as a job is, and nobody begins it again. */
export interface QueuedJob extends Job {
  readonly state: 'running' | 'waiting' | 'failed';
  /** ISO 8601 UTC: begun at, or to begin at. */
  readonly at: string;
  /** Times that it was begun. */
  readonly attempts: number;
  readonly error?: string;
}

/** A job again and again. */
export interface Schedule {
  readonly job: Omit<Job, 'round'>;
  readonly everyMs: number;
}

export interface Work {
  readonly atOnce: number;
  /** Asked again and again: stacks come and go. */
  readonly schedules: () => Promise<readonly Schedule[]>;
  /** Does a job; false: it was not done because `stop` fired, and another worker is to do it. */
  readonly run: (job: Job, stop: AbortSignal) => Promise<boolean>;
  /** Ends the work: no job is begun any more, and those that run are handed over or end soon. */
  readonly stop: AbortSignal;
  /** Left out: this worker tells nobody. */
  readonly teller?: Teller;
  /** Tells a request; true: it was told, or need not be told again. Left out: this worker tells none. */
  readonly tellRequest?: (news: RequestNews) => Promise<boolean>;
  /** Done by one of all workers, so often, once no check waits or runs. */
  readonly afterRound?: { readonly everyMs: number; readonly run: () => Promise<void> };
  /** What went wrong with the queue itself. */
  readonly onProblem: (error: unknown) => void;
}

/** The jobs of all stacks that keep their state in one database. */
export interface JobQueue {
  /** A job that waits already is not there twice. */
  add(jobs: readonly Job[]): Promise<void>;
  /** Those that run first, then in the order in which they are begun. */
  list(): Promise<readonly QueuedJob[]>;
  /** How the stacks that the record knows stand, by `PROJECT/STACK`. */
  standings(): Promise<ReadonlyMap<string, JobFound['found']>>;
  /** Keeps what a job has found, for whoever shows it. */
  note(job: Job, found: JobFound): Promise<void>;
  /** Keeps what a receiver is to hear: each cause once for all stacks and workers, and once again only when it has changed. */
  tell(receiver: string, news: readonly StackNews[]): Promise<void>;
  /** Takes jobs until it is stopped, whatever becomes of the database meanwhile. */
  work(work: Work): Promise<void>;
  close(): Promise<void>;
}
