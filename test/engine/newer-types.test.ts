import { describe, expect, it } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import { cloudServiceDomain } from '@platform-sync/sandbox/wire';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { actionsOf, type World } from '../harness/world.js';

/**
 * What a plan promises of options, guards, null and adoptions holds for every type: here for those with a shape of their
 * own (a specification, an object that hangs between two others, a policy there is once, and one made by rules).
 */

let world: World;
freshWorlds((made) => (world = made));

const spec = (path: string): string =>
  JSON.stringify({ openapi: '3.0.3', info: { title: 'V', version: '1.0.0' }, paths: { [path]: {} } });
const portal = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0c01';
const viewer = (name: string): JsonObject => ({
  bindings: [{ role: 'roles/viewer', members: [`user:${name}@example.com`] }],
});

interface Kind {
  readonly address: string;
  readonly type: string;
  readonly before: JsonObject;
  /** One field, changed. */
  readonly change: JsonObject;
  /** Another field, changed along with it; a type may have one only. */
  readonly other?: JsonObject;
  /** A field that may be null, and what it is then. */
  readonly clearable?: readonly [field: string, value: JsonObject[string]];
  /** Guards that speak up whenever it ends. */
  readonly guarded?: true;
}

const kinds: Readonly<Record<string, Kind>> = {
  version: {
    ...{ address: 'pets/one', type: 'platform:ApiVersion', before: { specContent: spec('/a'), version: 'one' } },
    ...{ change: { specContent: spec('/b') }, other: { version: 'two' } },
  },
  publication: {
    ...{ address: 'pets/shown', type: 'platform:ApiPublication', before: { portalId: portal, visibility: 'private' } },
    ...{ change: { visibility: 'public' }, other: { autoApproveRegistrations: true } },
    clearable: ['authStrategyIds', null],
  },
  policy: {
    ...{
      address: 'access',
      type: 'cloud:endpoints:ServiceIamPolicy',
      change: { policyData: viewer('b') },
      guarded: true,
    },
    before: { serviceName: `empty.${cloudServiceDomain}`, policyData: viewer('a') },
  },
  'one made by rules': {
    ...{ address: 'plane', type: 'platform:GatewayControlPlane', change: { labels: { team: 'b', tier: '1' } } },
    ...{ before: { name: 'shop', labels: { team: 'a', tier: '1' } }, other: { name: 'store' } },
    clearable: ['labels', null],
  },
};

async function write({ address, type }: Kind, properties: JsonObject | undefined, options: JsonObject = {}) {
  const [top = '', below] = address.split('/');
  const resource = { type, properties: properties ?? {}, options };
  const own: JsonObject = properties === undefined ? {} : { [below ?? top]: resource };
  const pets = { type: 'platform:Api', properties: { name: 'Pets' } };
  const resources: JsonObject = {
    pets: below === undefined ? pets : { ...pets, children: own },
    ...(below === undefined && own),
  };
  const guards = 'guards: {maxDeletes: 0, maxDeletePercent: 100}\n';
  await world.write({ 'sync.yaml': `project: test\n${guards}`, 'catalogue/all.yaml': { resources } });
}

const allowing = (...guards: readonly string[]) => ({ allow: guards.map((guard) => ({ guard, reason: 'test' })) });
const names = ({ guards }: Plan): readonly string[] => guards.map(({ name }) => name).sort();
const fieldsOf = (plan: Plan): readonly string[] =>
  plan.steps.flatMap(({ fields }) => fields.map(({ field }) => field));
const recorded = (address: string) =>
  world.open(async (project) => (await (await project.state()).read()).resources.get(address));
async function onlyReads(): Promise<boolean> {
  return Object.keys((await world.requests()).byRoute).every(
    (route) => route.startsWith('GET ') || route.includes(':getIamPolicy'),
  );
}

describe.each(Object.entries(kinds))('%s', (_name, kind) => {
  const { address, before, change, other, clearable, guarded } = kind;
  const end = guarded === true ? [`delete:${address}`] : [];

  it('a field that is left alone is not sent with its neighbour, nor recorded as if it had been', async () => {
    const [field = ''] = Object.keys(change);
    await write(kind, before);
    await world.apply();
    await write(kind, { ...before, ...change, ...other }, { ignoreChanges: [field] });
    const plan = await world.plan();
    expect(fieldsOf(plan)).toEqual(Object.keys(other ?? {}));
    await world.apply();
    const { inputs } = (await recorded(address)) ?? {};
    expect(inputs?.[field]).toEqual(before[field]);
    expect((await world.plan()).steps).toEqual([]);
    // No longer left alone, it is what the file says.
    await write(kind, { ...before, ...change, ...other });
    expect(fieldsOf(await world.plan())).toEqual([field]);
  });

  it('that is adopted by the command is only recorded; what differs is the next plan’s', async () => {
    await write(kind, before);
    await world.apply();
    world.loseState();
    await write(kind, { ...before, ...change });
    await world.resetRequests();
    await world.apply({ mode: 'adopt', ...allowing(`adopt:${address}`) });
    expect(await onlyReads()).toBe(true);
    const plan = await world.plan();
    expect([actionsOf(plan), fieldsOf(plan)]).toEqual([[`update ${address}`], Object.keys(change)]);
  });

  it('has a step for each change of its options, and keeps what is protected', async () => {
    await write(kind, before);
    await world.apply();
    await write(kind, before, { protect: true });
    await world.resetRequests();
    const guarding = await world.plan();
    expect(guarding.steps).toMatchObject([
      { address, action: 'options', options: [{ option: 'protect', old: false, new: true }] },
    ]);
    await world.apply();
    expect(await onlyReads()).toBe(true);
    await write(kind, undefined);
    expect(names(await world.plan(allowing('maxDeletes')))).toContain(`delete:${address}`);
    // Protection that is lifted in the plan that ends it still guards.
    await write(kind, before);
    expect(names(await world.plan({ replace: [address], ...allowing('maxDeletes') }))).toContain(`replace:${address}`);
    expect((await world.plan()).steps).toMatchObject([{ action: 'options', risks: [{ kind: 'unprotects' }] }]);
  });

  it('that is retained is left where it is, and the plan that says so has a step', async () => {
    await write(kind, before);
    await world.apply();
    await write(kind, before, { retainOnDelete: true });
    expect(actionsOf(await world.plan())).toEqual([`options ${address}`]);
    await world.apply();
    await write(kind, undefined);
    await world.resetRequests();
    expect(actionsOf(await world.plan())).toEqual([`forget ${address}`]);
    await world.apply();
    expect(await onlyReads()).toBe(true);
  });

  it('that is replaced counts as a delete', async () => {
    await write(kind, before);
    await world.apply();
    const plan = await world.plan({ replace: [address] });
    expect([actionsOf(plan), names(plan)]).toEqual([
      [`replace ${address}`],
      [...end.map((name) => name.replace('delete', 'replace')), 'maxDeletes'].sort(),
    ]);
  });

  it('says that it ends since destroy was requested', async () => {
    await write(kind, before);
    await world.apply();
    const { steps } = await world.plan({ mode: 'destroy' });
    expect(steps.find((step) => step.address === address)).toMatchObject({
      action: 'delete',
      reasons: [{ kind: 'destroy' }],
    });
  });

  it('has null for what it can clear, and one error for what it cannot', async () => {
    const [field, value] = clearable ?? [Object.keys(change)[0] ?? '', undefined];
    await write(kind, before);
    await world.apply();
    await write(kind, { ...before, [field]: null });
    const { plan, diagnostics } = await world.planResult();
    if (value === undefined) {
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect([plan, errors.map(({ code }) => code)]).toEqual([undefined, ['null-not-allowed']]);
      return;
    }
    await world.apply();
    expect((await recorded(address))?.inputs[field]).toBe(value);
    expect((await world.plan()).steps).toEqual([]);
  });
});

describe('labels of a type made by rules', () => {
  const plane = kinds['one made by rules'] as Kind;

  it('are owned key by key', async () => {
    await write(plane, { name: 'shop', labels: { team: 'a', tier: '1' } });
    await world.apply();
    await write(plane, { name: 'shop', labels: { tier: '2', team: 'b' } }, { ignoreChanges: ['labels.team'] });
    expect((await world.plan()).steps[0]?.patch).toEqual([{ op: 'replace', path: '/labels/tier', value: '2' }]);
    await world.apply();
    expect((await recorded('plane'))?.inputs['labels']).toEqual({ team: 'a', tier: '2' });
    expect((await world.plan()).steps).toEqual([]);
  });
});

it('a publication of another API is not taken over for what it is not', async () => {
  const { publication } = kinds;
  if (publication === undefined) throw new Error('no publication');
  await write(publication, publication.before);
  await world.apply();
  world.loseState();
  // The portal is fixed: another one is another publication, which is made and takes nothing over.
  await write(publication, { ...publication.before, portalId: portal.replace(/1$/, '2') });
  expect(actionsOf(await world.plan({ mode: 'adopt' }))).toEqual(['adopt pets']);
});
