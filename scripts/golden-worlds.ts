import type { Plan } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { CatalogueData, World } from '../test/harness/world.js';
import { hostileSteps } from './golden-hostile.js';
import { breakingDescription, description, extendedDescription, guideText, longGuide } from './golden-texts.js';

/** Brings a platform and a project into a state worth planning, and plans. */
export type Scenario = (bench: Bench) => Promise<Plan>;

type Resources = Readonly<Record<string, JsonObject>>;

/** What the scenarios are written with. */
export class Bench {
  constructor(readonly world: World) {}

  /** The catalogue; `more` are further top-level keys of the file. */
  async write(resources: Resources, more: CatalogueData = {}, settings = lenient): Promise<void> {
    await this.world.write({ 'sync.yaml': settings, 'catalogue/apis.yaml': pretty({ resources, ...more }) });
  }

  /** Applies the first catalogue, then plans the second. */
  async change(before: Resources, after: Resources, settings = lenient): Promise<Plan> {
    await this.write(before);
    await this.world.apply();
    await this.write(after, {}, settings);
    return this.world.plan();
  }

  /** The id of the only API of this name. */
  async apiId(name: string): Promise<string> {
    const { body } = await this.world.call('GET', '/v3/apis?page[size]=100');
    const found = (body as { data: { id: string; name: string }[] }).data.find((item) => item.name === name);
    if (found === undefined) throw new Error(`no API ${name}`);
    return found.id;
  }

  /** Edits an object behind the tool's back. */
  async edit(name: string, change: JsonObject): Promise<void> {
    await this.must('PATCH', `/v3/apis/${await this.apiId(name)}`, change);
  }

  async must(method: string, path: string, body?: JsonObject): Promise<void> {
    const { status, body: answer } = await this.world.call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  }

  async fail(route: string): Promise<void> {
    await this.world.call('PUT', '/_sandbox/faults', [
      {
        match: { method: 'GET', route },
        action: { status: 403, problem: { title: 'Forbidden', detail: 'No role on it' } },
      },
    ]);
  }
}

/** YAML that is JSON, a member a line: so that every change has a line of its own to point at. */
function pretty(data: CatalogueData): string {
  return `${JSON.stringify(data, null, 2)}\n`;
}

const lenient = 'project: shop\nguards: {maxDeletePercent: 100}\n';
const strict = 'project: shop\nguards: {maxDeletes: 2, maxDeletePercent: 100}\n';

const api = (properties: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties,
  ...more,
});
const page = (content: string, more: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { title: 'Guide', content, ...more },
  ...rest,
});
const under = (children: Resources): JsonObject => ({ children: { ...children } });
const numbered = (count: number, make: (at: number) => JsonObject): Resources =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`item-${String(at).padStart(3, '0')}`, make(at)]));

const pets = { name: 'Pets', version: '1.0' } as const;

async function publish(bench: Bench): Promise<void> {
  const { body } = await bench.world.call('GET', '/v3/portals?page[size]=1');
  const portal = (body as { data: { id: string }[] }).data[0]?.id ?? '';
  await bench.must('PUT', `/v3/apis/${await bench.apiId('Pets')}/publications/${portal}`, {});
}

/** Every kind of plan there is, each as small as it can be. Names are file names. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'nothing-at-all': async (bench) => {
    await bench.write({});
    return bench.world.plan();
  },
  'first-run': async (bench) => {
    await bench.write(
      { pets: api({ ...pets, specContent: description }, under({ guide: page(guideText, { status: 'published' }) })) },
      { outputs: { petsId: '${pets.id}' } },
    );
    return bench.world.plan();
  },
  'no-changes': (bench) => bench.change({ pets: api(pets) }, { pets: api(pets) }),
  'short-text': (bench) =>
    bench.change(
      { pets: api({ ...pets, description: 'Cats' }) },
      { pets: api({ ...pets, description: 'Cats and dogs' }) },
    ),
  'long-text': (bench) =>
    bench.change(
      { pets: api(pets, under({ guide: page(guideText) })) },
      { pets: api(pets, under({ guide: page(guideText.replace('second', 'other').replace('last', 'final')) })) },
    ),
  'many-hunks': (bench) =>
    bench.change(
      { pets: api(pets, under({ guide: page(longGuide('old')) })) },
      { pets: api(pets, under({ guide: page(longGuide('new')) })) },
    ),
  'text-rewritten': (bench) =>
    bench.change(
      { pets: api(pets, under({ guide: page('# Before\n\nEverything was\ndifferent here.\n') })) },
      { pets: api(pets, under({ guide: page('# After\n\nNothing of it\nis left.\n') })) },
    ),
  attributes: (bench) =>
    bench.change(
      { pets: api({ ...pets, attributes: { domain: ['animals', 'shops'], audience: ['all'] } }) },
      { pets: api({ ...pets, attributes: { domain: ['shops', 'vets'], region: ['eu'] } }) },
    ),
  labels: (bench) =>
    bench.change(
      { pets: api({ ...pets, labels: { team: 'cats', tier: 'gold' } }) },
      { pets: api({ ...pets, labels: { team: 'dogs', stage: 'beta' } }) },
    ),
  'field-cleared': (bench) => bench.change({ pets: api({ ...pets, description: 'Cats' }) }, { pets: api(pets) }),
  'cannot-clear': (bench) => bench.change({ pets: api({ ...pets, specContent: description }) }, { pets: api(pets) }),
  'specification-extended': (bench) =>
    bench.change(
      { pets: api({ ...pets, specContent: description }) },
      { pets: api({ ...pets, specContent: extendedDescription }) },
    ),
  'specification-breaks-clients': (bench) =>
    bench.change(
      { pets: api({ ...pets, specContent: description }, under({ guide: page(guideText, { status: 'published' }) })) },
      {
        pets: api(
          { ...pets, specContent: breakingDescription },
          under({ guide: page(guideText, { status: 'published' }) }),
        ),
      },
    ),
  'specification-comments': (bench) =>
    bench.change(
      { pets: api({ ...pets, specContent: description }) },
      { pets: api({ ...pets, specContent: `# Reviewed.\n${description}` }) },
    ),
  'delete-document': (bench) =>
    bench.change({ pets: api(pets, under({ guide: page(guideText) })) }, { pets: api(pets) }),
  'delete-published-document': (bench) =>
    bench.change({ pets: api(pets, under({ guide: page(guideText, { status: 'published' }) })) }, { pets: api(pets) }),
  'delete-with-what-goes-along': async (bench) => {
    await bench.write({ pets: api(pets), shop: api({ name: 'Shop' }) });
    await bench.world.apply();
    await publish(bench);
    await bench.must('POST', `/v3/apis/${await bench.apiId('Pets')}/documents`, { title: 'By hand', content: 'x' });
    await bench.write({ shop: api({ name: 'Shop' }) });
    return bench.world.plan();
  },
  'too-many-deletes': (bench) =>
    bench.change(
      numbered(5, (at) => api({ name: `Item ${at}` })),
      numbered(1, (at) => api({ name: `Item ${at}` })),
      strict,
    ),
  protected: (bench) => bench.change({ pets: api(pets, { options: { protect: true } }), shop: api() }, { shop: api() }),
  'guard-lifted': async (bench) => {
    await bench.write({ pets: api(pets, { options: { protect: true } }), shop: api() });
    await bench.world.apply();
    await bench.write({ shop: api() });
    return bench.world.plan({ allow: [{ guard: 'delete:pets', reason: 'retired, see the minutes of May' }] });
  },
  'empty-catalogue': (bench) => bench.change({ pets: api(pets), shop: api() }, {}),
  'everything-gone': async (bench) => {
    await bench.write({ pets: api(pets) });
    await bench.world.apply();
    await bench.must('DELETE', `/v3/apis/${await bench.apiId('Pets')}`);
    return bench.world.plan();
  },
  publish: (bench) =>
    bench.change(
      { pets: api(pets, under({ guide: page(guideText) })) },
      { pets: api(pets, under({ guide: page(guideText, { status: 'published' }) })) },
    ),
  unpublish: (bench) =>
    bench.change(
      { pets: api(pets, under({ guide: page(guideText, { status: 'published' }) })) },
      { pets: api(pets, under({ guide: page(guideText, { status: 'unpublished' }) })) },
    ),
  'replacement-asked-for': async (bench) => {
    await bench.write({ pets: api(pets, under({ guide: page(guideText, {}, under({ more: page('More') })) })) });
    await bench.world.apply();
    return bench.world.plan({ replace: ['pets'] });
  },
  'no-delete': async (bench) => {
    const shop = { name: 'Shop', version: '1.0' };
    await bench.write({ pets: api(pets, under({ guide: page(guideText) })), shop: api(shop), old: api() });
    await bench.world.apply();
    await bench.write({
      pets: api({ ...pets, description: 'Kept' }),
      shop: api({ ...shop, description: 'Open' }, { options: { replaceOnChanges: ['description'] } }),
      notes: api({ description: '${shop.id}' }),
    });
    return bench.world.plan({ noDelete: true });
  },
  move: (bench) =>
    bench.change(
      { old: api(pets, under({ guide: page(guideText) })) },
      {
        pets: api(
          { ...pets, description: 'Moved' },
          { options: { aliases: ['old'] }, ...under({ guide: page(guideText) }) },
        ),
      },
    ),
  forget: (bench) =>
    bench.change({ pets: api(pets, { options: { retainOnDelete: true } }), shop: api() }, { shop: api() }),
  adopt: async (bench) => {
    await bench.write({ pets: api(pets, under({ guide: page(guideText) })) });
    await bench.world.apply();
    bench.world.loseState();
    return bench.world.plan({ mode: 'adopt' });
  },
  'import-by-option': async (bench) => {
    await bench.must('POST', '/v3/apis', { name: 'Pets', version: '1.0' });
    await bench.write({
      pets: api({ ...pets, description: 'Known' }, { options: { import: await bench.apiId('Pets') } }),
    });
    return bench.world.plan();
  },
  destroy: async (bench) => {
    await bench.write({ pets: api(pets, under({ guide: page(guideText) })), shop: api() });
    await bench.world.apply();
    return bench.world.plan({ mode: 'destroy' });
  },
  partial: async (bench) => {
    await bench.write({ pets: api(pets, under({ guide: page(guideText) })), shop: api(), toys: api() });
    return bench.world.plan({ targets: ['pets'], excludes: ['pets/guide'] });
  },
  'drift-one-field': async (bench) => {
    await bench.write({ pets: api({ ...pets, description: 'Cats' }), shop: api() });
    await bench.world.apply();
    await bench.edit('Pets', { description: 'Clicked together' });
    return bench.world.plan();
  },
  'drift-and-change': async (bench) => {
    await bench.write({ pets: api({ ...pets, description: 'Cats', labels: { team: 'cats' } }) });
    await bench.world.apply();
    await bench.edit('Pets', { description: 'Clicked together' });
    await bench.write({ pets: api({ ...pets, description: 'Cats and dogs', labels: { team: 'dogs' } }) });
    return bench.world.plan();
  },
  'deleted-outside': async (bench) => {
    await bench.write({ pets: api(pets, under({ guide: page(guideText) })), shop: api() });
    await bench.world.apply();
    await bench.must('DELETE', `/v3/apis/${await bench.apiId('Pets')}`);
    return bench.world.plan();
  },
  'undeclared-change': async (bench) => {
    await bench.write({ pets: api(pets) });
    await bench.world.apply();
    await bench.edit('Pets', { description: 'Nobody asked' });
    return bench.world.plan();
  },
  'not-compared': async (bench) => {
    await bench.write({ pets: api(pets, under({ guide: page(guideText) })), shop: api() });
    await bench.world.apply();
    await bench.fail('/v3/apis/*/documents*');
    await bench.write({ pets: api(pets, under({ guide: page(guideText) })), shop: api({ description: 'New' }) });
    return bench.world.plan({ refresh: 'full' });
  },
  'not-compared-and-blocked': async (bench) => {
    const shop = api({}, { options: { protect: true } });
    await bench.write({ pets: api(pets, under({ guide: page(guideText) })), shop });
    await bench.world.apply();
    await bench.fail('/v3/apis/*/documents*');
    await bench.write({ pets: api({ ...pets, description: 'New' }, under({ guide: page(guideText) })), shop });
    return bench.world.plan({ refresh: 'full', replace: ['shop'] });
  },
  secret: async (bench) => {
    bench.world.env = { ...bench.world.env, SHOP_CONTACT: canarySecret };
    await bench.world.write({
      'sync.yaml': lenient,
      'catalogue/apis.yaml': 'resources:\n  pets:\n    type: platform:Api\n    properties:\n      description: old\n',
    });
    await bench.world.apply();
    await bench.world.write({
      'sync.yaml': lenient,
      'catalogue/apis.yaml':
        'resources:\n  pets:\n    type: platform:Api\n    properties:\n      description: !env SHOP_CONTACT\n      labels: {team: !secret cats}\n',
    });
    return bench.world.plan();
  },
  'known-after-apply': async (bench) => {
    await bench.write(
      {
        pets: api(pets),
        shop: api({ description: 'Belongs to ${pets.id}' }),
      },
      { outputs: { both: '${pets.id}-${shop.id}', constant: 'same' } },
    );
    return bench.world.plan();
  },
  'only-outputs': async (bench) => {
    await bench.write({ pets: api(pets) }, { outputs: { name: 'old', gone: 'soon' } });
    await bench.world.apply();
    await bench.write({ pets: api(pets) }, { outputs: { name: 'new', more: [1, 2] } });
    return bench.world.plan();
  },
  product: (bench) =>
    bench.change(
      { offer: product({ publicLabels: { region: 'eu' } }, { terms: terms('published', { author: 'Legal' }) }) },
      { offer: product({ publicLabels: { region: 'us' } }, { terms: terms('unpublished', { author: 'Board' }) }) },
    ),
  'hostile-values': (bench) => bench.change(hostileSteps('before'), hostileSteps('after')),
  'twelve-updates': (bench) =>
    bench.change(
      numbered(12, (at) => api({ name: `Item ${at}`, description: longGuide(`old ${at}`) })),
      numbered(12, (at) => api({ name: `Item ${at}`, description: longGuide(`new ${at}`) })),
    ),
};

/** Must appear in no report. */
export const canarySecret = 'canary-4f1c2a-never-shown';

function product(properties: JsonObject, children: Resources): JsonObject {
  return {
    type: 'platform:ApiProduct',
    properties: { name: 'Offer', portalIds: [], ...properties },
    ...under(children),
  };
}

function terms(status: string, metadata: JsonObject): JsonObject {
  return {
    type: 'platform:ApiProductDocument',
    properties: { title: 'Terms', slug: 'terms', status, content: guideText, metadata },
  };
}
