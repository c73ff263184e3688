import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { PlanOptions, Project } from '@platform-sync/engine/api';
import { openProject } from '@platform-sync/engine/engine';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { ownPackage } from '@platform-sync/rest/own/package';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import { providerPackages } from '@platform-sync/sdk/registry';
import { compileTypes } from '@platform-sync/describe/compile';
import { Description } from '@platform-sync/describe/description';
import { readRules } from '@platform-sync/describe/rules-file';
import { changing, sampleOf } from '../../derived/samples.js';
import { StandIn, type Behaviours } from './stand-in.js';

/** What came of each type of a service that was taken through a whole life. */
export interface Lives {
  readonly types: number;
  readonly warnings: number;
  /** Left out by the lines that compile gave. */
  readonly skipped: readonly string[];
  readonly lived: readonly string[];
  /** Type → where its life ended, and why. */
  readonly failed: ReadonlyMap<string, string>;
}

/** The lines of all warnings as one rules file. */
export function rulesOf(open: readonly Diagnostic[], isMeant: (lines: string) => boolean = () => true): JsonObject {
  const all = open.flatMap(({ detail }) =>
    detail !== undefined && isMeant(detail) ? [parse(detail) as JsonObject] : [],
  );
  return all.reduce<JsonObject>(joined, {});
}

function joined(a: JsonObject, b: JsonObject): JsonObject {
  const more = Object.entries(b).map(([name, value]): [string, Json] => {
    const own = a[name];
    if (Array.isArray(own) && Array.isArray(value)) return [name, [...(own as Json[]), ...(value as Json[])]];
    return [name, isObject(own) && isObject(value) ? joined(own, value) : value];
  });
  return { ...a, ...Object.fromEntries(more) };
}

const keyOf = ({ name }: ResourceType): string => `the${name.toLowerCase()}`;

/** Takes every type of a description through a life at its stand-in: made, at rest, drifted, repaired, lost, made again, ended. */
export async function livesOf(document: JsonObject, behaviours: Behaviours, given: JsonObject = {}): Promise<Lives> {
  const first = compileTypes(new Description(document, 'api.json'), readRules(given, 'rules.yaml'));
  const rules = joined(
    given,
    rulesOf(first.types.definitions.length === 0 ? [] : first.open, (lines) => lines.includes('skip: true')),
  );
  const { types } = compileTypes(new Description(document, 'api.json'), readRules(rules, 'rules.yaml'));
  const skipped = Object.keys(isObject(rules['corrections']) ? rules['corrections'] : {}).filter(
    (name) => !types.definitions.some((each) => each.name === name),
  );
  const made = await ownPackage('acme', JSON.parse(JSON.stringify(types)) as JsonObject);
  const all = [...made.types.values()];
  const failed = new Map<string, string>();
  for (const type of all) {
    const needed = withNeeded(type, all);
    const names = new Set(needed.map(({ name }) => name));
    const definitions = types.definitions
      .filter(({ name }) => names.has(name))
      .map((each) => withoutOthers(each, names));
    const service = new StandIn(document, behaviours);
    const life = await Life.begin(
      service,
      needed,
      type,
      JSON.stringify({ ...types, definitions }),
      definitions.every(({ operations }) => operations.delete !== undefined),
    );
    try {
      await life.run();
    } catch (error) {
      failed.set(type.name, error instanceof Error ? error.message : String(error));
    } finally {
      await life.end();
    }
  }
  const lived = all.flatMap(({ name }) => (failed.has(name) ? [] : [name]));
  return { types: all.length, warnings: first.open.length, skipped, lived, failed };
}

/** A type, what its objects must refer to, and what that must. */
function withNeeded(type: ResourceType, all: readonly ResourceType[]): readonly ResourceType[] {
  const needed = new Set([type]);
  for (const each of needed)
    for (const { required, references } of Object.values(each.fields)) {
      const target = required ? all.find(({ token }) => token === references) : undefined;
      if (target !== undefined) needed.add(target);
    }
  return [...needed];
}

function withoutOthers(definition: TypeDefinition, known: ReadonlySet<string>): TypeDefinition {
  const stripped = (fields: TypeDefinition['fields']): TypeDefinition['fields'] =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { references, nests, ...rows }]) => [
        name,
        references === undefined || !known.has(references)
          ? rows
          : { ...rows, references, ...(nests === undefined ? {} : { nests }) },
      ]),
    );
  const { fields, outputs } = definition;
  return { ...definition, fields: stripped(fields), ...(outputs === undefined ? {} : { outputs: stripped(outputs) }) };
}

/** Why a life ends before its end. */
class Ended extends Error {}

const allow = ['maxMissing', 'everythingGone'].map((guard) => ({ guard, reason: 'all is gone' }));

/** The life of one type: its object, and those that it needs. */
class Life {
  readonly #database = new MemoryDatabase();

  private constructor(
    private readonly service: StandIn,
    private readonly types: readonly ResourceType[],
    private readonly own: ResourceType,
    private readonly folder: string,
    /** The service lets it be deleted. */
    private readonly isDeleted: boolean,
    private readonly close: () => Promise<void>,
  ) {}

  static async begin(
    service: StandIn,
    needed: readonly ResourceType[],
    own: ResourceType,
    types: string,
    isDeleted: boolean,
  ): Promise<Life> {
    const folder = await mkdtemp(join(tmpdir(), 'sync-lives-'));
    await mkdir(join(folder, 'catalogue'));
    const server = await service.start();
    await writeFile(join(folder, 'acme.types.json'), types);
    const settings = `project: l\ntiming: {settleSeconds: 0}\nguards: {maxDeletePercent: 100, maxDeletes: 100}\nproviders: { acme: { types: ./acme.types.json, serverUrl: "${server.origin}" } }\n`;
    await writeFile(join(folder, 'sync.yaml'), settings);
    const life = new Life(service, needed, own, folder, isDeleted, () => server.close());
    const resources = Object.fromEntries(
      needed.map((type) => [keyOf(type), { type: type.shortToken, properties: life.#properties(type) }]),
    );
    await writeFile(join(folder, 'catalogue/all.yaml'), stringify({ resources }));
    return life;
  }

  async end(): Promise<void> {
    await this.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Rejects with where the life ended, and why. */
  async run(): Promise<void> {
    await this.#apply('made');
    await this.#atRest('made');
    if (this.#edited()) {
      const steps = await this.#planned('drift');
      if (!steps.has(keyOf(this.own))) throw new Ended('drift: a change is not seen');
      await this.#apply('repaired');
      await this.#atRest('repaired');
    }
    // What is always there is not lost.
    const isLasting = this.own.endless !== undefined || this.service.isLasting;
    if (!isLasting) {
      this.service.forget();
      const steps = await this.#planned('lost');
      if (steps.get(keyOf(this.own)) !== 'create') throw new Ended('lost: not noticed');
      await this.#apply('made again');
      await this.#atRest('made again');
    }
    await this.#apply('ended', { mode: 'destroy' });
    const left = await this.#open(async (project) => (await (await project.state()).read()).resources.size);
    if (left > 0) throw new Ended('ended: something is still recorded');
    if (this.service.paths.length > 0 && !isLasting && this.isDeleted)
      throw new Ended('ended: something is still there');
  }

  #properties(type: ResourceType): JsonObject {
    const field = type === this.own ? this.#changing : undefined;
    const chosen = Object.values(type.fields).filter(
      ({ input, required, name }) =>
        input && (required || name === field || Object.keys(type.untouched ?? {})[0] === name),
    );
    return Object.fromEntries(
      chosen.map((rule): [string, Json] => {
        const target = this.types.find(({ token }) => token === rule.references);
        if (target !== undefined && target !== type && rule.type === 'string')
          return [rule.name, `\${${keyOf(target)}.id}`];
        return [rule.name, sampleOf(rule.schema, rule.name === field ? 'other' : 'first', rule.name)];
      }),
    );
  }

  /** The field to be changed by others. */
  get #changing(): string | undefined {
    const { collection, naturalKey, parent, fields } = this.own;
    // What the object is known by is nobody's to change.
    const known = Object.values(fields).flatMap(({ name, stable }) => (stable ? [name] : []));
    const place = new Set([...collection.scope, ...known]);
    const key = new Set([...place, ...naturalKey, parent?.field ?? '']);
    return (changing(this.own, key) ?? changing(this.own, place))?.name;
  }

  /** Somebody changes what can be changed; false where nothing can be. */
  #edited(): boolean {
    const field = this.#changing;
    const rule = field === undefined ? undefined : this.own.fields[field];
    const [path] = this.service.paths.slice(-1);
    const values = path === undefined ? undefined : this.service.valuesAt(path);
    const member = Object.keys(values ?? {}).find((each) => sameName(each, field ?? ''));
    if (path === undefined || rule === undefined || member === undefined) return false;
    const moved = movedFrom(values?.[member] ?? null);
    return moved !== undefined && this.service.edit(path, member, moved);
  }

  async #apply(phase: string, options: PlanOptions = {}): Promise<void> {
    await this.#open(async (project) => {
      const { steps, diagnostics, status } = await project.apply(await project.plan({ ...options, allow }));
      const why = [
        ...diagnostics.flatMap(({ severity, summary }) => (severity === 'error' ? [summary] : [])),
        ...steps.flatMap(({ outcome, because, diagnostics: told = [] }) =>
          outcome === 'done' ? [] : [because ?? told.map(({ summary }) => summary).join(' ')],
        ),
      ];
      if (why.length === 0 && status !== 'done') why.push(status);
      if (why.length > 0) throw new Ended(`${phase}: ${[...new Set([...this.service.refused, ...why])].join(' ')}`);
    });
  }

  async #planned(phase: string): Promise<ReadonlyMap<string, string>> {
    return this.#open(async (project) => {
      const { plan, diagnostics } = await project.plan({ allow });
      if (plan === undefined) throw new Ended(`${phase}: ${diagnostics.map(({ summary }) => summary).join(' ')}`);
      const [unread] = plan.notCompared;
      if (unread !== undefined) throw new Ended(`${phase}: ${unread.diagnostic.summary}`);
      return new Map(plan.steps.map(({ address, action }) => [address, action]));
    });
  }

  /** Nothing is left to do. */
  async #atRest(phase: string): Promise<void> {
    const steps = await this.#planned(phase);
    if (steps.size > 0) throw new Ended(`${phase}: not at rest: ${[...steps].join(' ')}`);
  }

  async #open<T>(work: (project: Project) => Promise<T>): Promise<T> {
    const { project, diagnostics } = await openProject({
      ...{ cwd: this.folder, env: {}, purpose: 'test', packages: providerPackages },
      openState: async (config) => memoryStateStore(config.project, config.stack, this.#database),
    });
    if (project === undefined) throw new Ended(`declared: ${diagnostics.map(({ summary }) => summary).join(' ')}`);
    try {
      return await work(project);
    } finally {
      await project.close();
    }
  }
}

function sameName(a: string, b: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return plain(a) === plain(b);
}

/** Another value of the same kind; undefined for what has no other that is legal for sure. */
function movedFrom(value: Json): Json | undefined {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : undefined;
}
