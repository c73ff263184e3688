import { describe, expect, it } from 'vitest';
import { lookupOf, ruledLookup, ruledTokens } from '@platform-sync/core/lookups/by-rule';
import type { JsonObject } from '@platform-sync/core/model/value';
import { cloudPackage } from '@platform-sync/cloud/package';
import { platformPackage } from '@platform-sync/platform/package';

const packages = [platformPackage, cloudPackage];
const types = packages.flatMap((loaded) => [...loaded.types.values()].map((type) => ({ loaded, type })));

describe('lookups that follow from types', () => {
  it('are two for every type that is listed, and one where only who knows the id can ask', () => {
    expect(types.length).toBeGreaterThan(240);
    for (const { type } of types) {
      expect(ruledLookup(type, 'one')?.of).toBe(type.token);
      expect(ruledLookup(type, 'all') === undefined).toBe(type.collection.listed === false);
    }
  });

  it('leave to every provider the lookups that are its own', () => {
    for (const loaded of packages)
      for (const [token, lookup] of loaded.lookups) {
        expect(ruledTokens(loaded).has(token)).toBe(false);
        expect(lookupOf(loaded, token)).toBe(lookup);
      }
    expect([...platformPackage.lookups.keys(), ...cloudPackage.lookups.keys()]).toHaveLength(13);
  });

  it('have names of their own, and no type is loaded to tell them', () => {
    const untouched = {
      ...platformPackage,
      types: new Map([...platformPackage.types.keys()].map((token) => [token, undefined as never])),
    };
    const tokens = [...ruledTokens(untouched).keys(), ...platformPackage.lookups.keys()];
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens).toContain('platform:index/getGatewayService:getGatewayService');
  });

  it('never show a secret, nor what the platform does not show, nor the mark of the owner', () => {
    for (const { type } of types)
      for (const many of ['one', 'all'] as const) {
        const outputs: JsonObject = ruledLookup(type, many)?.outputs ?? {};
        const hidden = Object.values(type.fields).filter((rule) => rule.secret || rule.writeOnly || rule.isMark);
        const text = JSON.stringify(outputs['properties'] ?? {});
        const shown = JSON.parse(text) as Record<string, { items?: { properties: object } }>;
        const members = Object.keys(many === 'one' ? shown : (shown['datas']?.items?.properties ?? {}));
        expect(hidden.map(({ name }) => name).filter((name) => members.includes(name))).toEqual([]);
      }
  });

  it('say where: what holds the objects is required, and nothing else but the id of what nothing lists', () => {
    for (const { type } of types) {
      const required = ruledLookup(type, 'one')?.inputs['required'];
      const isAsked = type.collection.listed === false && !type.collection.scope.includes('name');
      expect(required).toEqual([...type.collection.scope, ...(isAsked ? ['name'] : [])]);
    }
  });
});
