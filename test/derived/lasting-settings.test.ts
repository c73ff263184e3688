import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { staysInForce, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { keyOf, propertiesOf, withNeeded } from './all-types.js';
import { restOf } from './edit.js';
import { changeable } from './samples.js';
import { planHtml, planMarkdown } from '../report/forms.js';

/** Settings that each place has one of, with the field that the file sets. */
const settings = [...platformPackage.types.values()].filter(({ endless }) => endless !== undefined);

/** By the definition: no call ends one, and none puts back what the file sets. */
function isLasting(type: ResourceType, inputs: JsonObject): boolean {
  const { operations } = restOf(type).definition;
  if (operations.reset === undefined) return true;
  return (
    operations.update?.startsWith('PATCH') === true && !Object.keys(operations.reset).some((name) => name in inputs)
  );
}

/** What no sample can know. */
const known: Readonly<Record<string, JsonObject>> = {
  PortalCustomization: { css: 'body { color: teal }' },
  PortalFavicon: { data: 'data:image/png;base64,iVBORw0KGgo=' },
  PortalLogo: { data: 'data:image/png;base64,iVBORw0KGgo=' },
};

const cases = settings.flatMap((type) => {
  const options = changeable(type, new Set(type.collection.scope)).filter(({ secret }) => !secret);
  const kinds = new Map(options.map((rule) => [isLasting(type, { [rule.name]: 0 }), rule]));
  return [...kinds].map(([, rule]) => {
    const samples = propertiesOf(type, known[type.name] === undefined ? [rule] : [], 'first');
    const properties = { ...samples, ...known[type.name] };
    return { name: `${type.name} with ${rule.name}`, type, properties, stays: isLasting(type, properties) };
  });
});

it('are known by their definitions', () => {
  expect(new Set(cases.map(({ stays }) => stays))).toEqual(new Set([true, false]));
  const names = new Set(cases.filter(({ stays }) => stays).map(({ type }) => type.name));
  expect([...names]).toEqual(expect.arrayContaining(['PortalAppearance', 'PortalIntegrations']));
  for (const { type, properties, stays } of cases) expect(staysInForce(type, properties)).toBe(stays);
});

describe.each(cases)('$name', ({ type, properties, stays }) => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ shuffle: 3 });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    await world.write(files());
    await world.apply();
  });

  const home = [...withNeeded([type])].filter((each) => each !== type);
  const files = (isSet = true, hasHome = true, options: JsonObject = {}): Parameters<World['write']>[0] => {
    const homes = home.map((each) => [
      keyOf(each),
      { type: each.shortToken, properties: propertiesOf(each, [], 'first'), options },
    ]);
    const set = [['set', { type: type.shortToken, properties }]];
    const rest = ['rest', { type: 'platform:Api', properties: { name: 'Rest' } }];
    const resources = Object.fromEntries([rest, ...(hasHome ? homes : []), ...(isSet ? set : [])]) as JsonObject;
    return {
      'sync.yaml': 'project: test\nguards: {maxDeletes: 100, maxDeletePercent: 100}\n',
      'catalogue/all.yaml': { resources },
    };
  };
  const writes = async (): Promise<number> =>
    Object.entries((await world.requests()).byRoute).reduce(
      (sum, [route, count]) => sum + (route.startsWith('GET') ? 0 : count),
      0,
    );

  it(
    stays ? 'is forgotten, and told as what stays in force' : 'is told as deleted, and a call puts it back',
    async () => {
      await world.write(files(false));
      const plan = await world.plan();
      expect(actionsOf(plan)).toEqual([stays ? 'forget set' : 'delete set']);
      for (const text of [planText(plan, { style: plainStyle }), planMarkdown(plan), planHtml(plan)])
        expect(text.includes('stays in force')).toBe(stays);
      await world.resetRequests();
      const { steps } = await world.apply();
      expect(steps.map(({ action }) => action)).toEqual([stays ? 'forget' : 'delete']);
      expect((await writes()) > 0).toBe(!stays);
      expect(actionsOf(await world.plan())).toEqual([]);
    },
  );

  it('says the same of a destroy that leaves what it belongs to', async () => {
    await world.write(files(true, true, { retainOnDelete: true }));
    await world.apply();
    const plan = await world.plan({ mode: 'destroy', excludes: ['rest'] });
    expect(actionsOf(plan)).toContain(stays ? 'forget set' : 'delete set');
    expect(actionsOf(plan).filter((step) => step.startsWith('delete'))).toEqual(stays ? [] : ['delete set']);
  });

  it.runIf(home.length > 0)('ends with what it belongs to', async () => {
    await world.write(files(false, false));
    const plan = await world.plan();
    expect(actionsOf(plan)).toContain('delete set');
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
  });
});
