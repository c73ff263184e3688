import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

/** Twelve APIs of four teams, with documents and what differs between dev and prod. */
export const twelveFolder = path.resolve(import.meta.dirname, '../../../fixtures/twelve');

export const teams = {
  pets: ['petstore', 'grooming', 'adoption'],
  shop: ['orders', 'carts', 'returns'],
  money: ['payments', 'invoices', 'refunds'],
  people: ['accounts', 'profiles', 'logins'],
} as const;

/** What the fixture's stacks differ in. */
export interface Environment {
  readonly host: string;
  readonly tier: string;
  readonly status: string;
  /** What prod says of its own. */
  readonly isReal: boolean;
}

export const environments = {
  dev: { host: 'dev.example.com', tier: 'bronze', status: 'unpublished', isReal: false },
  prod: { host: 'example.com', tier: 'gold', status: 'published', isReal: true },
} as const satisfies Readonly<Record<string, Environment>>;

export type Stack = keyof typeof environments;

const capital = (api: string): string => api.charAt(0).toUpperCase() + api.slice(1);

/** What a person had to write without sources, parameters and overlays: a specification's text, and every block in full. */
export function longForm(environment: Environment): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  const resources: Record<string, Json> = {};
  for (const [team, apis] of Object.entries(teams))
    for (const [at, api] of apis.entries()) {
      if (environment.isReal && api === 'logins') continue;
      files[`${api}.txt`] = readFileSync(path.join(twelveFolder, 'catalogue', team, 'specs', `${api}.yaml`), 'utf8');
      resources[api] = {
        ...longApi(api, `1.${at}.0`, team, environment),
        children: {
          version: { type: 'platform:ApiVersion', properties: { specContent: { 'fn::readFile': `${api}.txt` } } },
          start: {
            ...page(`Start with ${api}`, `# ${capital(api)}\n\nFirst steps.\n`, environment),
            children: { errors: page(`Errors of ${api}`, `# Errors of ${api}\n\nNone so far.\n`, environment) },
          },
        },
      };
    }
  return { ...files, 'main.yaml': JSON.stringify({ resources }) };
}

export function longApi(api: string, version: string, team: string, { host, tier, isReal }: Environment): JsonObject {
  const isOwn = isReal && api === 'payments';
  return {
    type: 'platform:Api',
    properties: {
      ...{ name: capital(api), version },
      description: isOwn ? 'Payments that are real.' : `All about ${api}.`,
      labels: { team, tier },
      attributes: { host: [host] },
    },
    ...(isOwn ? { options: { protect: true } } : {}),
  };
}

function page(title: string, content: string, { status }: Environment): JsonObject {
  return { type: 'platform:ApiDocument', properties: { title, content, status } };
}
