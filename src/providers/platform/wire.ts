import type { PageShape } from '@platform-sync/rest/http/page';
import type { NumberedPages } from '@platform-sync/rest/paging';

/** Everything that names the real service behind the platform. Nothing outside this file may. */

/** All API hosts of the service end so: `<region>` or `global` in front. */
export const ownHostSuffix = '.api.konghq.com';

/** Host of the families that exist once for all regions, and the address used when nobody says another. */
export const globalOrigin = 'https://global.api.konghq.com';

/** A public static file; no credentials belong there. */
export const addressListOrigin = 'https://ip-addresses.origin.konghq.com';

/** Known regions, for hints. A newer one works as well. */
export const regionCodes: readonly string[] = ['us', 'eu', 'au', 'me', 'in', 'sg'];

/** Beginnings of label keys that the platform keeps for itself. */
export const reservedLabelPrefixes: readonly string[] = ['kong', 'konnect', 'mesh', 'kic', '_'];

/** Beginnings of label keys that other tools keep their books under: the vendor's command line, the platform itself. */
export const foreignLabelPrefixes: readonly string[] = ['KONGCTL-', ...reservedLabelPrefixes];

/** What a specification may say of the gateway in front of its API; plugins and what a security scheme sets end in a plugin's name. */
export const extensions = {
  name: 'x-kong-name',
  tags: 'x-kong-tags',
  service: 'x-kong-service-defaults',
  upstream: 'x-kong-upstream-defaults',
  route: 'x-kong-route-defaults',
  plugin: 'x-kong-plugin-',
  security: 'x-kong-security-',
} as const;

/** Wire names that carry the brand, by the name catalogues use. */
export const brandedNames: Readonly<Record<string, string>> = {
  platformManaged: 'konnect_managed',
  platformMappingEnabled: 'konnect_mapping_enabled',
};

export const mediaTypes = {
  request: 'application/json',
  /** What answers may be. */
  answer: 'application/json, application/problem+json;q=0.9',
} as const;

/** How collections of resources are read. */
export const paging = {
  by: 'number',
  items: 'data',
  total: ['meta', 'page', 'total'],
  number: 'page[number]',
  size: { parameter: 'page[size]', items: 100 },
} as const satisfies NumberedPages;

/** The lists behind lookups: some families may leave the number of items out. */
export const lookupPageShape: PageShape = { items: paging.items, total: paging.total, counted: false };

/** The service's own words, and what stands for them in files made from its descriptions. */
const ownWords: readonly (readonly [word: string, sign: string])[] = [
  ['konnect', '~p~'],
  ['Konnect', '~P~'],
  ['kong', '~v~'],
  ['Kong', '~V~'],
  ['KONG', '~W~'],
];

/** A text as it is kept in the project. */
export function withSigns(text: string): string {
  return ownWords.reduce((result, [word, sign]) => result.replaceAll(word, sign), text);
}

/** A kept text as the service means it. */
export function withOwnWords(text: string): string {
  return text.includes('~') ? ownWords.reduce((result, [word, sign]) => result.replaceAll(sign, word), text) : text;
}
