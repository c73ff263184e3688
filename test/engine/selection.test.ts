import { describe, expect, it } from 'vitest';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { changedBetween } from '@platform-sync/engine/use-cases/selection/changed';
import { catalogueChoice, expandTerms, recordedChoice } from '@platform-sync/engine/use-cases/selection/terms';
import { chooses } from '@platform-sync/core/model/address';
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
    ['dependents:type:Apis', ['dependents:type:Apis']],
    ['changed:main', ['shop']],
    ['changed:other', ['changed:other']],
    ['dependents:changed:main', ['old', 'shop']],
  ])('%s', async (term, expected) => {
    const choice = catalogueChoice(await desiredOf(catalogue), recorded);
    const changed = new Map([['main', new Set(['shop', 'elsewhere'])]]);
    expect(expandTerms({ targets: [term, term], excludes: [] }, choice, changed).targets).toEqual(expected);
    expect(expandTerms({ excludes: [term], targets: ['pets'] }, choice, changed)).toEqual({
      excludes: expected,
      targets: ['pets'],
    });
  });

  it('choose from what is recorded where nobody looks at the files', () => {
    const expand = (...targets: readonly string[]): readonly string[] =>
      expandTerms({ targets, excludes: [] }, recordedChoice(recorded), new Map()).targets;
    expect(expand('labels.team=money', 'type:Api', 'o*', 'dependents:shop')).toEqual(['old', 'shop']);
    expect(expand('pay*')).toEqual(['pay*']);
  });

  it('stand for what is nested in them, too', () => {
    const isChosen = chooses({ targets: ['pets', 'pay/a'], excludes: ['pets/old'] });
    const all = ['pets', 'pets/guide', 'pets/old', 'pets/old/er', 'petstore', 'pay', 'pay/a/b'];
    expect(all.filter(isChosen)).toEqual(['pets', 'pets/guide', 'pay/a/b']);
    expect(all.filter(chooses({ targets: [], excludes: ['pets'] }))).toEqual(['petstore', 'pay', 'pay/a/b']);
  });
});

describe('what changed between two catalogues', () => {
  const base = `
variables: {suffix: x, title: "Pets \${suffix}"}
defaults: {platform:Api: {labels: {a: b}}}
resources:
  pets: {type: platform:Api, properties: {name: "\${title}"}, children: {guide: {type: platform:ApiDocument, properties: {content: x}}}}
  cats: {type: platform:Api, properties: {name: Cats, version: '1'}}
  shop: {type: platform:ApiProduct, properties: {name: Shop, portalIds: []}}
`;
  it.each<[string, (text: string) => string, readonly string[]]>([
    ['nothing', (text) => text, []],
    [
      'a comment and another order',
      (text) => `# new\n${text.replace("name: Cats, version: '1'", "version: '1', name: Cats")}`,
      [],
    ],
    ['a property', (text) => text.replace('name: Cats', 'name: Dogs'), ['cats']],
    ['an option', (text) => text.replace("version: '1'}", "version: '1'}, options: {protect: true}"), ['cats']],
    ['a child', (text) => text.replace('content: x', 'content: y'), ['pets/guide']],
    ['a default', (text) => text.replace('a: b', 'a: c'), ['cats', 'pets']],
    ['a variable that another one uses', (text) => text.replace('suffix: x', 'suffix: y'), ['pets']],
    ['a new key', (text) => text.replace('cats:', 'dogs:'), ['cats', 'dogs']],
    [
      'another type',
      (text) => text.replace('platform:ApiProduct', 'platform:Api').replace(', portalIds: []', ''),
      ['shop'],
    ],
  ])('%s', async (_name, edit, expected) => {
    const [before, now] = [await desiredOf(base), await desiredOf(edit(base))];
    expect([...changedBetween(before, now)].sort()).toEqual(expected);
  });
});
