import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { plainStyle } from '@platform-sync/report/text/style';
import { planText } from '@platform-sync/report/text/plan';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';
import { planMarkdown } from '../report/forms.js';

let world: World;
freshWorlds((made) => (world = made));

const portal = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0d01';
const signIn = (properties: JsonObject): JsonObject => ({
  front: { type: 'platform:Portal', children: { it: { type: 'platform:PortalAuth', properties } } },
});
const product = (portalIds: readonly string[]): JsonObject => ({
  it: { type: 'platform:ApiProduct', properties: { portalIds: [...portalIds] } },
});

const cases: readonly (readonly [name: string, resources: JsonObject, told: readonly string[]])[] = [
  ['one that is used', signIn({ oidcIssuer: 'https://id.example.com' }), ['oidcIssuer']],
  ['several', signIn({ oidcAuthEnabled: true, samlAuthEnabled: false }), ['oidcAuthEnabled', 'samlAuthEnabled']],
  ['none', signIn({ basicAuthEnabled: false }), []],
  ['one that has to be there, and holds something', product([portal]), ['portalIds']],
  ['one that has to be there, and is empty', product([]), []],
];

describe('fields on their way out', () => {
  it.each(cases)('%s', async (_name, resources, told) => {
    await world.write({ 'catalogue/all.yaml': { resources } });
    const deprecated = ({ code }: { readonly code: string }): boolean => code === 'deprecated-property';
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.filter(deprecated).map(({ field }) => field)).toEqual(told);
    const { plan, diagnostics: besides } = await world.planResult();
    expect(plan?.notices.filter(deprecated).map(({ field }) => field)).toEqual(told);
    // Said once.
    expect(besides.filter(deprecated)).toEqual([]);
    if (plan === undefined) return;
    for (const text of [planText(plan, { style: plainStyle }), planMarkdown(plan)])
      expect(text.match(/is deprecated/g) ?? []).toHaveLength(told.length);
  });

  it('are told of by every plan, also where nothing is done about them', async () => {
    await world.write({ 'catalogue/all.yaml': { resources: signIn({ oidcAuthEnabled: true }) } });
    await world.apply();
    const { plan, diagnostics } = await world.planResult();
    expect(plan?.steps).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['deprecated-property']);
  });
});
