import type { OpenOptions, PolicyCheck, PolicyFinding } from '../api.js';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { defined, ownMember } from '@platform-sync/core/model/value';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, DiagnosticError, type SourceRange } from '@platform-sync/core/model/diagnostic';
import { onlyStack, type ProjectConfig } from '@platform-sync/core/model/project';
import { type Expression, type LookupExpression, visitExpression } from '@platform-sync/core/model/expression';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { Sending } from '@platform-sync/core/model/trust';
import { allowingLine, reasonFor } from '../trust/may-send.js';
import { matchesName, type Permissions } from '../trust/permissions.js';
import { projectTrust, readingRules, webhookSending } from '../trust/project-trust.js';
import { requireInside, stateSending } from '../trust/state-place.js';
import { packageNameOf } from '@platform-sync/core/model/resource-type';
import { loadSettings, readGivenPermissions } from './open-config.js';

/** What the files of a project lead to in every stack, and whether the permissions let them. Sends nothing. */
export async function checkPolicy(options: OpenOptions, stacks: readonly string[]): Promise<PolicyCheck> {
  const permissions = readGivenPermissions(options);
  const findings: PolicyFinding[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const stack of stacks.length === 0 ? [onlyStack] : stacks) {
    const loaded = await loadSettings(options.cwd, { ...options, stack }, permissions);
    diagnostics.push(...loaded.diagnostics);
    if (loaded.config === undefined) continue;
    const survey = new Survey(loaded.config, { ...options, packages: loaded.packages }, permissions);
    await survey.look();
    findings.push(...survey.findings);
    diagnostics.push(...survey.diagnostics);
  }
  const seen = new Map(diagnostics.map((found) => [JSON.stringify(found), found]));
  return {
    ...defined({ policy: permissions.source }),
    findings,
    diagnostics: [...seen.values()],
  };
}

class Survey {
  readonly findings: PolicyFinding[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #config: ProjectConfig;
  readonly #options: OpenOptions;
  readonly #permissions: Permissions;

  constructor(config: ProjectConfig, options: OpenOptions, permissions: Permissions) {
    this.#config = config;
    this.#options = options;
    this.#permissions = permissions;
  }

  async look(): Promise<void> {
    const { env, packages } = this.#options;
    const rules = readingRules(this.#permissions);
    const { desired, diagnostics } = await loadCatalogue(this.#config, { env, packages, rules });
    this.diagnostics.push(...diagnostics);
    for (const [setting, name] of Object.entries(this.#config.variables ?? {})) this.#variable(setting, name);
    for (const name of this.#providers(desired)) await this.#provider(name);
    this.#state();
    const webhook = webhookSending(this.#config, env);
    if (webhook !== undefined) this.#address(webhook);
    if (desired !== undefined) this.#catalogue(desired);
  }

  #providers(desired: DesiredState | undefined): readonly string[] {
    const names = new Set(Object.keys(this.#config.providers));
    for (const resource of desired?.resources.values() ?? []) names.add(packageNameOf(resource.type));
    if (desired !== undefined) for (const { lookup } of lookupsOf(desired)) names.add(packageNameOf(lookup.function));
    return [...names].filter((name) => this.#options.packages.names.includes(name)).sort();
  }

  /** Providers ask for every address when they start, and send nothing then. */
  async #provider(name: string): Promise<void> {
    const { chooserOf, mayUseKey } = projectTrust(this.#config, this.#permissions, async () => undefined);
    const loaded = await this.#options.packages.load(name);
    try {
      const provider = await loaded.start({
        ...{ settings: ownMember(this.#config.providers, name) ?? {}, env: this.#options.env, concurrency: 1 },
        userAgent: 'platform-sync',
        trust: { chooserOf, mayUseKey, admit: async (sending) => this.#address(sending) },
      });
      await provider.close();
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.diagnostics.push(...error.diagnostics);
    }
  }

  #address(sending: Sending): void {
    const because = reasonFor(sending, this.#permissions);
    this.#add('address', sending.setting, sending.to, because, allowingLine(sending));
  }

  #state(): void {
    const config = this.#config;
    const sending = stateSending(config, this.#options.env);
    if (sending !== undefined) return this.#address(sending);
    if (config.state.backend !== 'sqlite') return;
    try {
      requireInside(config.state.path, config, this.#permissions);
      this.#add('state-file', 'state.path', config.state.path, 'it stays where it may be written');
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      this.#add('state-file', 'state.path', config.state.path, undefined, error.diagnostics[0]?.hint);
    }
  }

  #catalogue(desired: DesiredState): void {
    const read = new Set<string>();
    for (const [expression] of expressionsOf(desired))
      for (const name of variablesIn(expression, desired)) read.add(name);
    for (const name of [...read].sort()) this.#variable('the catalogue', name);
    for (const { lookup, at } of lookupsOf(desired)) {
      for (const name of variablesIn(lookup.arguments, desired)) {
        const { file, line, column } = desired.sources.place(at);
        const because = matchesName(this.#permissions.lookups, name) ? 'the permissions list it' : undefined;
        const hint = `SYNC_POLICY='${JSON.stringify({ lookups: [name] })}'`;
        this.#add('lookup', `${file}:${line}:${column}`, name, because, hint);
      }
    }
  }

  /** One that the permissions keep back has kept the files from being read. */
  #variable(from: string, name: string): void {
    this.#add(
      'variable',
      from,
      name,
      this.#permissions.env === undefined ? 'no permissions narrow it' : 'the permissions list it',
    );
  }

  #add(kind: PolicyFinding['kind'], from: string, to: string, because?: string, hint?: string): void {
    const { stack } = this.#config;
    const isAllowed = because !== undefined;
    const why = isAllowed ? { because } : hint === undefined ? {} : { hint };
    this.findings.push({ stack, kind, from, to, isAllowed, ...why });
  }
}

function* expressionsOf({ resources, variables, outputs }: DesiredState): Iterable<readonly [Expression]> {
  for (const resource of resources.values()) for (const value of resource.properties.values()) yield [value];
  for (const value of [...variables.values(), ...outputs.values()]) yield [value];
}

function lookupsOf(desired: DesiredState): readonly { readonly lookup: LookupExpression; readonly at: SourceRange }[] {
  const found: { lookup: LookupExpression; at: SourceRange }[] = [];
  for (const [expression] of expressionsOf(desired)) {
    visitExpression(expression, { lookup: (lookup) => void found.push({ lookup, at: lookup.at }) });
  }
  return found;
}

/** Variables of the environment that a value is made from, those of the catalogue's variables it names included. */
function variablesIn(expression: Expression, desired: DesiredState, seen = new Set<string>()): ReadonlySet<string> {
  const found = new Set<string>();
  visitExpression(expression, {
    secret: (text) => {
      const name = /^!env (.+)$/s.exec(text)?.[1];
      if (name !== undefined) found.add(name);
    },
    reference: ({ to, target }) => {
      const value = to === 'variable' && !seen.has(target) ? desired.variables.get(target) : undefined;
      seen.add(target);
      if (value !== undefined) for (const inner of variablesIn(value, desired, seen)) found.add(inner);
    },
  });
  return found;
}
