import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { gatewayOf, type Gateway } from '@platform-sync/platform/gateway/gateway';
import type { GatewayPlugin } from '@platform-sync/platform/gateway/specification';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

// Public pairs of a specification and what another tool makes of it; none of them is kept here.
const folder = join(process.env['SPEC_CASES'] ?? '', 'openapi2kong/oas3_testfiles');
const cases = process.env['SPEC_CASES'] === undefined || !existsSync(folder) ? [] : pairs();

/** Ids and tags are that tool's own; of a plugin without settings it writes nothing. */
function normal(value: Json): Json {
  if (Array.isArray(value)) return value.map(normal).sort(bySortedText);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, member]) =>
      !['id', 'tags', '_format_version', '_transform', '_info'].includes(key) &&
      !(['plugins', 'upstreams', 'services', 'routes'].includes(key) && Array.isArray(member) && member.length === 0),
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, normal(member)]));
}

function bySortedText(a: Json, b: Json): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** As that tool writes it: plugins of a consumer stand at the top. */
function written({ services, upstreams }: Gateway): JsonObject {
  const top: JsonObject[] = [];
  const own = (plugins: readonly GatewayPlugin[], owner: JsonObject): readonly JsonObject[] =>
    plugins.flatMap(({ fields }) => {
      if (fields['consumer'] === undefined) return [fields];
      top.push({ ...fields, ...owner });
      return [];
    });
  const found = services.map(({ name, fields, plugins, routes }) => ({
    ...fields,
    plugins: own(plugins, { service: name }),
    routes: routes.map((route) => ({ ...route.fields, plugins: own(route.plugins, { route: route.name }) })),
  }));
  const balanced = upstreams.map(({ fields, targets }) => ({ ...fields, targets }));
  return { services: found, upstreams: balanced, plugins: top };
}

describe.skipIf(cases.length === 0)('public pairs (SPEC_CASES names their folder; skipped without it)', () => {
  it.each(cases)('%s', (_, document, expected) => {
    const { 'x-test-config': how = {} } = document;
    const { reuseServices = false, treatAllHeadersAsRequired = false } = how as Record<string, boolean>;
    const gateway = gatewayOf(document, { reuseServices, allHeaders: treatAllHeadersAsRequired });
    expect(normal(written(gateway))).toEqual(normal(expected));
  });
});

function pairs(): (readonly [string, JsonObject, JsonObject])[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names.flatMap((name) => {
    const expected = join(folder, name.replace(/\.yaml$/, '.expected.json'));
    if (!existsSync(expected)) return [];
    const document = parse(readFileSync(join(folder, name), 'utf8')) as JsonObject;
    return [[name, document, JSON.parse(readFileSync(expected, 'utf8')) as JsonObject] as const];
  });
}
