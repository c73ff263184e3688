import { describe, expect, it } from 'vitest';
import type { RecordedResource } from '../../src/engine/model/state.js';
import { withAddresses } from '../../src/engine/use-cases/address-patterns.js';
import { desiredOf } from './catalogue/scratch-project.js';

const catalogue = `
variables: {gold: gold, hidden: !secret gold}
resources:
  pay: {type: platform:Api, properties: {labels: {team: money, tier: "\${gold}"}}}
  payments:
    type: platform:Api
    properties: {name: Payments, labels: {team: money}, description: "\${hidden}"}
    children:
      guide:
        type: platform:ApiDocument
        properties: {content: x}
        children: {more: {type: platform:ApiDocument, properties: {content: x}}}
  pets: {type: platform:Api, properties: {description: !secret gold, attributes: {pin: !secret gold}}, children: {guide: {type: platform:ApiDocument, properties: {content: x}}}}
  shop: {type: platform:ApiProduct, properties: {name: Shop, portalIds: []}, options: {dependsOn: [pets]}}
`;

/** What left the catalogue, and is still there. */
const old = {
  address: 'old',
  type: 'platform:index/api:Api',
  inputs: { name: 'Old', labels: { team: 'money' } },
  dependencies: ['shop'],
} as unknown as RecordedResource;
const recorded = new Map([['old', old]]);

describe('terms of a selection', () => {
  it.each<[string, readonly string[]]>([
    ['pay*', ['pay', 'payments']],
    ['payments/*', ['payments/guide']],
    ['payments/**', ['payments/guide', 'payments/guide/more']],
    ['**/guide', ['payments/guide', 'pets/guide']],
    ['*', ['old', 'pay', 'payments', 'pets', 'shop']],
    ['p.y*', ['p.y*']],
    ['none/**', ['none/**']],
    ['type:Api', ['old', 'pay', 'payments', 'pets']],
    ['type:platform:ApiProduct', ['shop']],
    ['type:platform:index/apiProduct:ApiProduct', ['shop']],
    ['type:Apis', ['type:Apis']],
    ['labels.team=money', ['old', 'pay', 'payments']],
    ['labels.tier=g*', ['pay']],
    ['name=*s', ['payments', 'pets']],
    ['name=S*', ['shop']],
    ['ApiProduct.name=*', ['shop']],
    ['description=gold', ['description=gold']],
    ['attributes.pin=gold', ['attributes.pin=gold']],
    ['labels.team=nobody', ['labels.team=nobody']],
    ['dependents:pets', ['old', 'pets', 'pets/guide', 'shop']],
    ['dependents:type:ApiProduct', ['old', 'shop']],
    ['dependents:none', ['none']],
  ])('%s', async (term, expected) => {
    const choice = { desired: await desiredOf(catalogue), recorded };
    expect(withAddresses({ targets: [term, term] }, choice).targets).toEqual(expected);
    expect(withAddresses({ excludes: [term], targets: ['pets'] }, choice)).toMatchObject({
      excludes: expected,
      targets: ['pets'],
    });
  });

  it('leaves options without terms as they are', async () => {
    const options = { targets: ['pets'], replace: ['a*'] };
    expect(withAddresses(options, { desired: await desiredOf(catalogue), recorded })).toBe(options);
  });
});
