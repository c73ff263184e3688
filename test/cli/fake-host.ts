import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ApplyOptions,
  ApplyResult,
  OpenOptions,
  PlanOptions,
  PlanResult,
  Project,
} from '@platform-sync/engine/api';
import { everythingIn } from '@platform-sync/engine/drift/changes';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { summaryOf } from '@platform-sync/core/model/drift';
import type { Plan } from '@platform-sync/core/model/plan';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { realWorld } from '@platform-sync/core/model/world';
import { memoryStateStore } from '@platform-sync/state/memory';
import type { ExitCode, StopSignal } from '@platform-sync/cli/process/exit-code';
import { runProgram } from '@platform-sync/cli/program';
import type { Host } from '@platform-sync/cli/process/host';
import { driftResult } from '../report/drift-builder.js';
import { plan } from '../report/plan-builder.js';

export interface Recorder {
  readonly host: Host;
  /** What was called on the project, in order, with its options. */
  readonly calls: (readonly [string, unknown])[];
  readonly opened: OpenOptions[];
  readonly run: (...argv: string[]) => Promise<{ code: ExitCode; out: string; err: string }>;
  /** Delivers a signal to the running command. */
  readonly signal: (signal: StopSignal) => void;
  readonly exits: ExitCode[];
  readonly folder: string;
}

export interface FakeOptions {
  readonly plan?: Plan;
  readonly planDiagnostics?: readonly Diagnostic[];
  readonly apply?: Partial<ApplyResult> | ((options: ApplyOptions) => Promise<ApplyResult>);
  readonly project?: Partial<Project>;
  readonly openDiagnostics?: readonly Diagnostic[];
  readonly host?: Partial<Host>;
  /** Lines typed at questions, first to last. */
  readonly answers?: string[];
}

/** A program whose engine, terminal and signals are made up; everything it does is recorded. */
export function fakeProgram(options: FakeOptions = {}): Recorder {
  const folder = mkdtempSync(join(tmpdir(), 'sync-cli-'));
  const printed = { out: '', err: '' };
  const calls: (readonly [string, unknown])[] = [];
  const opened: OpenOptions[] = [];
  const exits: ExitCode[] = [];
  const listeners = new Set<(signal: StopSignal) => void>();
  const project = fakeProject(options, calls, folder);
  const answers = [...(options.answers ?? [])];
  const host: Host = {
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    env: {},
    cwd: folder,
    outIsTerminal: false,
    errIsTerminal: false,
    interactive: false,
    columns: 80,
    ask: async (question) => {
      printed.err += question;
      return answers.shift() ?? '';
    },
    readInput: async () => '',
    world: { ...realWorld, steady: () => 0 },
    onSignal: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    exit: (code) => void exits.push(code),
    prepareNetwork: async () => undefined,
    openProject: async (openOptions) => {
      opened.push(openOptions);
      const diagnostics = options.openDiagnostics ?? [];
      return diagnostics.some((found) => found.severity === 'error') ? { diagnostics } : { project, diagnostics };
    },
    packages: async () => ({ names: [], load: () => Promise.reject(new Error('no packages')) }),
    startSandbox: () => Promise.reject(new Error('no sandbox')),
    providerConfig: async () => ({}),
    ...options.host,
  };
  return {
    host,
    calls,
    opened,
    exits,
    folder,
    signal: (signal) => listeners.forEach((listener) => listener(signal)),
    run: async (...argv) => {
      printed.out = '';
      printed.err = '';
      const code = await runProgram(argv, host);
      return { code, ...printed };
    },
  };
}

function fakeProject(options: FakeOptions, calls: (readonly [string, unknown])[], folder: string): Project {
  const record = <T>(name: string, argument: unknown, result: T): T => {
    calls.push([name, argument]);
    return result;
  };
  const planned = (): PlanResult => ({
    ...(options.planDiagnostics === undefined ? { plan: options.plan ?? plan() } : {}),
    diagnostics: options.planDiagnostics ?? [],
  });
  const applied = async (applyOptions: ApplyOptions = {}): Promise<ApplyResult> => {
    if (typeof options.apply === 'function') return options.apply(applyOptions);
    return { status: 'done', steps: [], outputs: {}, diagnostics: [], requests: 0, ...options.apply };
  };
  const store = memoryStateStore('payments', 'default');
  // The state that plans of tests are made from.
  const { lineage, serial } = plan();
  const read = store.read.bind(store);
  Object.assign(store, { read: async () => ({ ...(await read()), lineage, serial }) });
  return {
    config: fakeConfig(folder),
    stacks: [],
    packages: { names: [], load: () => Promise.reject(new Error('no packages')) },
    provider: () => Promise.reject(new Error('no provider')),
    validate: async () => record('validate', undefined, { diagnostics: [], files: 1 }),
    plan: async (planOptions?: PlanOptions) => record('plan', planOptions, planned()),
    outlined: ({ diagnostics }, made) => ({ plan: made, diagnostics }),
    hold: async (_options, work) => work(async () => undefined),
    apply: async (_planned, applyOptions) => record('apply', applyOptions, await applied(applyOptions)),
    applyReviewed: async (reviewed, applyOptions) => record('applyReviewed', reviewed, await applied(applyOptions)),
    tellRuns: async (ended) => record('tellRuns', ended, undefined),
    noteLostRun: async () => record('noteLostRun', undefined, undefined),
    refresh: async (applyOptions) =>
      record('refresh', applyOptions, { diagnostics: [], changed: ['a'], gone: ['b'], unchanged: 2, notCompared: 0 }),
    importResource: async (address, id) => record('import', [address, id], { diagnostics: [], address, id }),
    importResources: async (requests) => record('imports', requests, { diagnostics: [], imported: requests }),
    rename: async (address, key) => record('rename', [address, key], { why: 'is not there' }),
    export: async (exportOptions) =>
      record('export', exportOptions, {
        files: new Map([['pets.yaml', 'resources: {}\n']]),
        diagnostics: [],
        objects: 1,
        types: [],
      }),
    drift: async (driftOptions) => record('drift', driftOptions, driftResult()),
    testRules: async () => record('testRules', undefined, { rules: 0, diagnostics: [], cases: [] }),
    judgeRecords: async () => record('judgeRecords', undefined, { rules: 0, diagnostics: [], findings: [] }),
    // A receiver that was never told anything.
    tellDrift: async (result, _address, send) => {
      const changes = everythingIn(result);
      return changes.length === 0 ? undefined : send({ check: summaryOf(result), changes });
    },
    undo: async (run, addresses, planOptions) => record('undo', [run, addresses, planOptions], planned()),
    editUndone: () => Promise.resolve({ edits: [], skipped: [], files: [], diagnostics: [] }),
    revertDrift: async (findings, planOptions) => record('revertDrift', [findings, planOptions], planned()),
    acceptDrift: async (findings) =>
      record('acceptDrift', findings, { accepted: [], skipped: [], files: [], diagnostics: [] }),
    fix: async (fixed, fixOptions) =>
      record('fix', [fixed.digest, fixOptions], { fixed: [], skipped: [], files: [], diagnostics: [] }),
    recordDrift: async (findings, applyOptions) =>
      record('recordDrift', [findings, applyOptions], { recorded: [], diagnostics: [] }),
    ignoreDrift: async (findings, ignoreOptions) =>
      record('ignoreDrift', [findings, ignoreOptions], { ignored: [], file: 'sync.yaml', diagnostics: [] }),
    checkPolicy: async () => record('checkPolicy', undefined, { findings: [], diagnostics: [] }),
    evaluate: async (how) => record('evaluate', how, { value: 1, parts: [], lookups: [], diagnostics: [] }),
    lookup: async (token, args) => record('lookup', [token, args], { result: { id: '1' }, diagnostics: [] }),
    objects: async (question) => record('objects', question, { diagnostics: [] }),
    state: async () => store,
    close: async () => record('close', undefined, undefined),
    ...options.project,
  };
}

function fakeConfig(root: string): ProjectConfig {
  return {
    root,
    project: 'payments',
    stack: 'default',
    catalogue: [],
    providers: {},
    state: { backend: 'sqlite', path: join(root, '.sync/state.db') },
    concurrency: 4,
    timing: { leaseMs: 30_000, beatMs: 5_000, requestMs: 60_000, retries: 4, settleMs: 120_000 },
    guards: { maxDeletes: 10, maxDeletePercent: 20, allow: [] },
  };
}
