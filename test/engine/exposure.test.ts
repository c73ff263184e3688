import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { hurried, type World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made), hurried);

/** What is declared of the resource in question, `false`: it is not in the catalogue. */
type Side = JsonObject | false;

async function write(type: string, side: Side): Promise<void> {
  const portal = { type: 'platform:Portal', properties: { name: 'ours' } };
  const own = side === false ? {} : { it: { type: `platform:${type}`, properties: { ...needed[type], ...side } } };
  const published = type === 'ApiDocument' ? { publication } : {};
  const resources = type === 'Portal' ? own : { portal, api: { type: 'platform:Api' }, ...published, ...own };
  await world.write({
    'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100, allow: [{guard: emptyCatalogue, reason: test}]}\n',
    'catalogue/all.yaml': { resources },
  });
}

const portalId = '${portal.id}';
const needed: Readonly<Record<string, JsonObject>> = {
  Portal: { name: 'ours' },
  PortalPage: { portalId, slug: 'a', content: 'A' },
  PortalSnippet: { portalId, name: 'a', content: 'A' },
  PortalCustomDomain: { portalId, hostname: 'developers.example.com', domainVerificationMethod: 'http' },
  ApiPublication: { portalId, apiId: '${api.id}' },
  ApiDocument: { apiId: '${api.id}', title: 'A', content: 'A' },
};

const publication = { type: 'platform:ApiPublication', properties: needed['ApiPublication'] ?? {} };

const shown = 'publishes';
const hidden = 'unpublishes';
const page = {
  open: 'becomes public: every visitor of the portal sees it',
  closed: 'becomes private: only developers who have signed in see it',
};
const api = {
  signedIn: 'developers who have signed in to the portal see the API',
  open: 'the API becomes public: every visitor of the portal sees it',
  closed: 'the API becomes private: only developers who have signed in see it',
  gone: 'the API disappears from the portal',
};
const fresh = 'that are new on the portal and do not say who sees them are';
const isThere: JsonObject = {};

const table: readonly (readonly [name: string, type: string, from: Side, to: Side, told: readonly string[]])[] = [
  ['a publication', 'ApiPublication', false, isThere, [`${shown} ${api.signedIn}`]],
  ['a public publication', 'ApiPublication', false, { visibility: 'public' }, [`${shown} ${api.open}`]],
  ['a publication opens', 'ApiPublication', isThere, { visibility: 'public' }, [`${shown} ${api.open}`]],
  ['a publication closes', 'ApiPublication', { visibility: 'public' }, isThere, [`${hidden} ${api.closed}`]],
  ['a private publication ends', 'ApiPublication', isThere, false, [`${hidden} ${api.gone}`]],
  ['a public publication ends', 'ApiPublication', { visibility: 'public' }, false, [`${hidden} ${api.gone}`]],
  ['a publication without approval', 'ApiPublication', isThere, { autoApproveRegistrations: true }, []],
  ['a document is shown', 'ApiDocument', isThere, { status: 'published' }, [shown]],
  ['a document is hidden', 'ApiDocument', { status: 'published' }, isThere, [hidden]],
  ...['PortalPage', 'PortalSnippet'].flatMap((type): typeof table => [
    [`${type} that nobody sees`, type, false, { visibility: 'public' }, []],
    [`${type} that nobody sees opens`, type, { visibility: 'private' }, { visibility: 'public' }, []],
    [`${type} for those who have signed in`, type, false, { status: 'published', visibility: 'private' }, [shown]],
    [
      `${type} for everybody`,
      type,
      false,
      { status: 'published', visibility: 'public' },
      [shown, `${shown} ${page.open}`],
    ],
    [
      `${type} opens`,
      type,
      { status: 'published', visibility: 'private' },
      { status: 'published', visibility: 'public' },
      [`${shown} ${page.open}`],
    ],
    [
      `${type} closes`,
      type,
      { status: 'published', visibility: 'public' },
      { status: 'published', visibility: 'private' },
      [`${hidden} ${page.closed}`],
    ],
    [`${type} is hidden`, type, { status: 'published', visibility: 'public' }, { visibility: 'public' }, [hidden]],
    [`${type} ends`, type, { status: 'published', visibility: 'public' }, false, [hidden]],
    [`${type} that nobody saw ends`, type, { visibility: 'public' }, false, []],
  ]),
  [
    'a portal without sign-in',
    'Portal',
    isThere,
    { authenticationEnabled: false },
    [`${shown} everybody sees everything on the portal, without signing in`],
  ],
  [
    'a new portal without sign-in',
    'Portal',
    false,
    { authenticationEnabled: false },
    [`${shown} everybody sees everything on the portal, without signing in`],
  ],
  [
    'sign-in comes back',
    'Portal',
    { authenticationEnabled: false },
    isThere,
    [`${hidden} only developers who have signed in see private parts of the portal`],
  ],
  [
    'new APIs open',
    'Portal',
    { defaultApiVisibility: 'private' },
    { defaultApiVisibility: 'public' },
    [`${shown} APIs ${fresh} public`],
  ],
  [
    'new APIs close',
    'Portal',
    { defaultApiVisibility: 'public' },
    { defaultApiVisibility: 'private' },
    [`${hidden} APIs ${fresh} private`],
  ],
  ['new pages open', 'Portal', false, { defaultPageVisibility: 'public' }, [`${shown} pages ${fresh} public`]],
  [
    'developers are let in',
    'Portal',
    isThere,
    { autoApproveDevelopers: true },
    [`${shown} everybody who registers at the portal is let in without approval`],
  ],
  [
    'developers wait',
    'Portal',
    { autoApproveDevelopers: true },
    isThere,
    [`${hidden} everybody who registers at the portal waits for approval`],
  ],
  [
    'teams no longer count',
    'Portal',
    { rbacEnabled: true },
    isThere,
    [`${shown} every developer who has signed in sees all that is private on the portal`],
  ],
  ['teams count', 'Portal', isThere, { rbacEnabled: true }, [`${hidden} developers see only what their teams may see`]],
  ['another name to visitors', 'Portal', isThere, { displayName: 'Ours' }, []],
  ['an open portal ends', 'Portal', { authenticationEnabled: false }, false, [hidden]],
  ['a domain', 'PortalCustomDomain', false, { enabled: true }, [`${shown} the portal answers to the domain`]],
  ['a domain that is prepared', 'PortalCustomDomain', false, { enabled: false }, []],
  [
    'a domain is switched on',
    'PortalCustomDomain',
    { enabled: false },
    { enabled: true },
    [`${shown} the portal answers to the domain`],
  ],
  [
    'a domain is switched off',
    'PortalCustomDomain',
    { enabled: true },
    { enabled: false },
    [`${hidden} the portal no longer answers to the domain`],
  ],
  [
    'a domain ends',
    'PortalCustomDomain',
    { enabled: true },
    false,
    [`${hidden} the portal no longer answers to the domain`],
  ],
];

describe('what begins to be seen, and what disappears, is said before it happens', () => {
  it.each(table)('%s', async (_name, type, from, to, told) => {
    await write(type, from);
    await world.apply();
    await write(type, to);
    const plan = await world.plan();
    const step = plan.steps.find(({ address }) => address === 'it');
    expect(step).toBeDefined();
    const risks = step?.risks.filter(({ kind }) => kind === shown || kind === hidden) ?? [];
    expect(risks.map((risk) => ('what' in risk ? `${risk.kind} ${risk.what}` : risk.kind))).toEqual(told);
    const text = planText(plan, { style: plainStyle, summary: true });
    for (const words of told) expect(text).toContain(words.replace(/^(?:un)?publishes ?/, ''));
  });
});

describe('a document of an API is seen where its API is published, and nowhere else', () => {
  /** Of one moment: what the document says, `false` where there is none, and whether the catalogue publishes its API. */
  interface Moment {
    readonly status: 'published' | 'unpublished' | false;
    readonly isPublished?: true;
    /** Another version is another API, in the place of the old one. */
    readonly renewed?: true;
  }
  const open: Moment = { status: 'published' };
  const closed: Moment = { status: 'unpublished' };
  const none: Moment = { status: false };
  const on = (moment: Moment): Moment => ({ ...moment, isPublished: true });

  async function writeMoment({ status, isPublished, renewed }: Moment): Promise<void> {
    const page = { type: 'platform:ApiDocument', properties: { title: 'A', content: 'A', status } };
    const properties = {
      name: 'pets',
      specContent: `{"openapi":"3.0.0","info":{"title":"pets","version":"1"},"paths":{},"x-at":${renewed ? 2 : 1}}`,
    };
    const it = { type: 'platform:Api', properties, ...(status === false ? {} : { children: { page } }) };
    const there = { type: 'platform:ApiPublication', properties: { portalId, apiId: '${it.id}' } };
    const portal = { type: 'platform:Portal', properties: { name: 'ours' } };
    await world.write({
      'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100, allow: [{guard: emptyCatalogue, reason: test}]}\n',
      'catalogue/all.yaml': { resources: { portal, it, ...(isPublished ? { there } : {}) } },
    });
  }

  async function exposures(): Promise<readonly string[]> {
    const { steps } = await world.plan();
    const page = steps.find(({ address }) => address === 'it/page');
    return page?.risks.map(({ kind }) => kind).filter((kind) => kind === shown || kind === hidden) ?? [];
  }

  it.each([
    ['new, of an API on no portal', none, open, []],
    ['shown, of an API on no portal', closed, open, []],
    ['hidden, of an API on no portal', open, closed, []],
    ['ended, of an API on no portal', open, none, []],
    ['new, of a published API', on(none), on(open), [shown]],
    ['shown, of a published API', on(closed), on(open), [shown]],
    ['hidden, of a published API', on(open), on(closed), [hidden]],
    ['ended, of a published API', on(open), on(none), [hidden]],
    ['new, as its API is published', none, on(open), [shown]],
    ['shown, as its API is published', closed, on(open), [shown]],
    ['shown, as its API leaves the portal', on(closed), open, []],
    ['hidden, as its API leaves the portal', on(open), closed, [hidden]],
    ['ended, as its API leaves the portal', on(open), none, [hidden]],
    ['made anew with an API on no portal', closed, { ...open, renewed: true }, []],
    ['made anew with a published API', on(closed), on({ ...open, renewed: true }), [shown]],
  ] as const satisfies readonly (readonly [string, Moment, Moment, readonly string[]])[])(
    '%s',
    async (_name, from, to, told) => {
      await writeMoment(from);
      await world.apply();
      await writeMoment(to);
      expect(await exposures()).toEqual(told);
    },
  );

  it('says nothing of a first plan that publishes nothing, and all of one that does', async () => {
    await writeMoment(open);
    expect(await exposures()).toEqual([]);
    await writeMoment(on(open));
    expect(await exposures()).toEqual([shown]);
  });

  it('counts publications that somebody else made', async () => {
    await writeMoment(on(closed));
    await world.apply();
    const { publications } = (await world.call('GET', '/_sandbox/objects')).body as { publications: JsonObject[] };
    const { api_id: apiId, portal_id: other } = publications[0] ?? {};
    await writeMoment(closed);
    await world.apply();
    await writeMoment(open);
    expect(await exposures()).toEqual([]);
    await world.call('PUT', `/v3/apis/${String(apiId)}/publications/${String(other)}`, { visibility: 'private' });
    expect(await exposures()).toEqual([shown]);
  });

  it('is told as seen where nobody looked whether its API is published', async () => {
    await writeMoment(closed);
    await world.apply();
    const { apis } = (await world.call('GET', '/_sandbox/objects')).body as { apis: JsonObject[] };
    const apiId = String(apis.find(({ name }) => name === 'pets')?.['id']);
    const page = { type: 'platform:ApiDocument', properties: { apiId, title: 'B', content: 'B', status: 'published' } };
    await world.write({ 'catalogue/more.yaml': { resources: { page } } });
    const { steps } = await world.plan({ targets: ['page'] });
    expect(steps.map(({ risks }) => risks)).toEqual([[{ kind: shown }]]);
  });
});
