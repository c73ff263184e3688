import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Provider } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';
import { asResources, randomCatalogueOf, type RandomCatalogue } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

const guards = {
  ...{ maxDeletePercent: 100, maxDeletes: 1000, maxUpdatePercent: 100 },
  allow: ['emptyCatalogue', 'everythingGone'].map((guard) => ({ guard, reason: 'law' })),
};
const catalogues = randomCatalogueOf({ apis: 2, products: 1, fronts: 1 });

/** The other one of a pair: the same said otherwise, nearly the same, or something else. */
type Turn =
  | { readonly kind: 'respelt' | 'ordered' | 'protected' | 'secret' | 'found' | 'outputs' }
  | { readonly kind: 'part' | 'all'; readonly of: RandomCatalogue };

const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.constantFrom<Turn>(
    { kind: 'respelt' },
    { kind: 'ordered' },
    { kind: 'protected' },
    { kind: 'secret' },
    { kind: 'found' },
    { kind: 'outputs' },
  ),
  fc.record({ kind: fc.constantFrom('part', 'all'), of: catalogues }),
);

type Resource = JsonObject & { readonly properties?: JsonObject; readonly options?: JsonObject };

/** Resources of a catalogue, and what is said beside them. */
function turned(resources: Record<string, JsonObject>, how: Turn): JsonObject {
  const entries = Object.entries(resources) as [string, Resource][];
  const [first, second] = entries;
  const put = (entry: typeof first, more: JsonObject): JsonObject =>
    entry === undefined ? { resources } : { resources: { ...resources, [entry[0]]: { ...entry[1], ...more } } };
  switch (how.kind) {
    case 'respelt':
      return { variables: { unused: 1 }, resources: Object.fromEntries(entries.reverse()) };
    case 'ordered':
      return second === undefined || first === undefined
        ? { resources }
        : put(second, { options: { dependsOn: [first[0]] } });
    case 'protected':
      return put(first, { options: { protect: true } });
    case 'secret':
      return put(first, { properties: { ...first?.[1].properties, description: { 'fn::env': 'WORDS' } } });
    case 'found':
      return {
        resources: Object.fromEntries(
          entries.map(([key, resource]) => [key, { ...resource, properties: longer(resource) }]),
        ),
      };
    case 'outputs':
      return { resources, outputs: first === undefined ? {} : { one: `\${${first[0]}.id}` } };
    case 'part': {
      const others = Object.entries(asResources(how.of)).slice(0, 1);
      return { resources: { ...resources, ...Object.fromEntries(others) } };
    }
    case 'all':
      return { resources: asResources(how.of) };
  }
}

/** The same text, made of a part that is known and one that may not be. */
function longer({ type, properties = {} }: Resource): JsonObject {
  return type === 'platform:Api' ? { ...properties, description: '${vars.words}' } : properties;
}

/** What was sent, with new objects by what they were made of: ids and the order of a run say nothing of its effect. */
class Sent {
  readonly #names = new Map<string, string>();
  readonly all: string[] = [];

  over(provider: Provider): Partial<Provider> {
    return {
      create: async (type, scope, inputs, options) => {
        const request = this.#note('create', type.token, { scope, inputs });
        const made = await provider.create(type, scope, inputs, options);
        this.#names.set(made.identity.id, request);
        return made;
      },
      update: (type, request, options) => {
        const { identity, set, clear } = request;
        this.#note('update', type.token, { identity: { ...identity }, set, clear: [...clear].sort() });
        return provider.update(type, request, options);
      },
      delete: (type, identity, options) => {
        this.#note('delete', type.token, { ...identity });
        return provider.delete(type, identity, options);
      },
    };
  }

  #note(kind: string, type: string, request: JsonObject): string {
    const text = `${kind} ${type} ${canonicalJson(this.#named(request))}`;
    this.all.push(text);
    return text;
  }

  #named(value: Json): Json {
    if (typeof value === 'string') return this.#names.get(value) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: Json) => this.#named(item));
    return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, this.#named(item)]));
  }
}

/** What became of a plan. */
interface CarriedOut {
  readonly plan: Plan;
  readonly sent: readonly string[];
  /** As recorded then. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
}

/** Pairs of many plans of one world cost little more than those of few. */
const isLong = process.env['SYNC_LAW_RUNS'] !== undefined;

describe('the effect of a plan', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await paperFolder({ one: { guards } });
  });
  afterAll(() => removeFolder(folder));

  /** Work in a copy of the world, which stays as it is. */
  async function inCopy<T>(world: PaperWorld, work: (sent: Sent) => Promise<T>): Promise<T> {
    const document = await world.store().pull();
    const before = [...world.platform.objects.values()].map((object) => ({ ...object }));
    const sent = new Sent();
    world.calls = (provider) => sent.over(provider);
    try {
      return await work(sent);
    } finally {
      world.calls = () => ({});
      world.platform.objects.clear();
      for (const object of before) world.platform.objects.set(object.id, object);
      await world.restore(document);
    }
  }

  interface Said {
    readonly catalogue: JsonObject;
    readonly words: string;
  }

  const say = (world: PaperWorld, { catalogue, words }: Said): void => {
    world.env['WORDS'] = words;
    world.write(`${folder}/one`, catalogue);
  };

  /** A catalogue, planned and applied. */
  async function carriedOut(world: PaperWorld, said: Said): Promise<CarriedOut> {
    const done = await inCopy(world, async (sent) => {
      say(world, said);
      const { plan, result } = await world.open(`${folder}/one`, async (project) => {
        const first = await project.plan();
        const names = first.plan?.guards.map(({ name }) => name) ?? [];
        const allow = names.map((guard) => ({ guard, reason: `law ${sent.all.length}` }));
        const planned = names.length === 0 ? first : await project.plan({ allow });
        if (planned.plan === undefined) return { plan: undefined, result: undefined };
        return { plan: planned.plan, result: await project.apply(planned) };
      });
      const inputs = new Map([...world.state().resources].map(([address, record]) => [address, record.inputs]));
      return { plan, isDone: result?.status === 'done', sent: [...sent.all].sort(), inputs };
    });
    fc.pre(done.plan !== undefined && done.isDone);
    return { ...done, plan: done.plan as Plan };
  }

  /** What becomes of a plan whose effect was approved, where something else was merged since. */
  const afterApproval = (
    world: PaperWorld,
    approved: Plan,
    merged: Said,
  ): Promise<readonly [string, readonly string[]]> =>
    inCopy(world, async (sent) => {
      say(world, merged);
      const result = await world.open(`${folder}/one`, (project) =>
        project.applyReviewed(approved, { byEffect: true }),
      );
      return [result.status, [...sent.all].sort()];
    });

  /** What is no request: steps that state alone knows of, what is kept in clear, and what else the approval is about. */
  const beside = ({ plan: { steps, guards: all, outputs }, inputs }: CarriedOut): Json => [
    steps
      .map(({ address, action, options, from, fields }) => {
        const isNew = action === 'create' || action === 'replace';
        const hidden = JSON.stringify(isNew ? inputs.get(address) : fields).includes('"$secret"');
        return [address, action, canonicalJson({ options, from, hidden })];
      })
      .sort(),
    all.map(({ name }) => name).sort(),
    outputs.map(({ name, new: next }) => [name, next ?? null]),
  ];

  it(
    'is the same for two plans just where they send the same and record the same, in copies of one world; an approval holds just there',
    async () => {
      const pairs = { same: 0, all: 0, refused: 0 };
      const turns = fc.array(fc.tuple(turn, fc.boolean()), { minLength: 3, maxLength: isLong ? 24 : 4, size: 'max' });
      await fc.assert(
        fc.asyncProperty(catalogues, catalogues, turns, async (past, next, others) => {
          const world = new PaperWorld();
          world.write(`${folder}/one`, { resources: asResources(past) });
          const { result } = await world.apply(`${folder}/one`);
          fc.pre(result.status === 'done');
          const variables = { variables: { words: 'short' } };
          const texts: readonly Said[] = [
            { catalogue: { resources: asResources(next), ...variables }, words: 'short' },
            ...others.map(([how, isOther]) => ({
              catalogue: { ...variables, ...turned(asResources(next), how) },
              words: isOther ? 'other' : 'short',
            })),
          ];
          const made: CarriedOut[] = [];
          for (const said of texts) made.push(await carriedOut(world, said));
          for (const [at, said] of texts.slice(0, 5).entries()) {
            const [first, now] = [made[0], made[at]];
            if (at === 0 || first === undefined || now === undefined) continue;
            const isSame = first.plan.effectDigest === now.plan.effectDigest;
            if (!isSame) pairs.refused += 1;
            const done = isSame ? ['done', now.sent] : ['stale', []];
            expect(await afterApproval(world, first.plan, said), describePair(first, now)).toEqual(done);
          }
          for (const [at, one] of made.entries())
            for (const other of made.slice(at + 1)) {
              const isSame = one.plan.effectDigest === other.plan.effectDigest;
              const isSent = canonicalJson(one.sent) === canonicalJson(other.sent);
              const isBeside = canonicalJson(beside(one)) === canonicalJson(beside(other));
              pairs.all += 1;
              if (isSame) pairs.same += 1;
              expect(isSame, describePair(one, other)).toBe(isSent && isBeside);
            }
        }),
        { numRuns: lawRuns(30), ...toTheLast },
      );
      if (isLong) process.stderr.write(`${JSON.stringify(pairs)}\n`);
      // A law over pairs that are all alike, or all different, holds nothing.
      expect(pairs.same / pairs.all).toBeGreaterThan(0.1);
      expect(pairs.same / pairs.all).toBeLessThan(0.9);
    },
    lawTimeoutMs,
  );
});

function describePair(...pair: readonly CarriedOut[]): string {
  return JSON.stringify(
    pair.map(({ plan, sent }) => ({ effect: plan.effectDigest, steps: plan.steps, sent })),
    null,
    1,
  );
}
