import { expect, it } from 'vitest';
import { adviceOn } from '@platform-sync/engine/drift/advice';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { platformPackage } from '@platform-sync/platform/package';

const configOf = (type: string): FieldRule | undefined =>
  platformPackage.types.get(`platform:index/${type.charAt(0).toLowerCase()}${type.slice(1)}:${type}`)?.fields['config'];

it('what is secret is not offered to be written into the catalogue', () => {
  const config = configOf('IntegrationInstance');
  expect(config?.secret).toBe(true);
  expect(adviceOn('modified', true, config)).toEqual({
    verbs: ['revert', 'record', 'ignore'],
    todo: "Put it back with revert; accept can't write it, because it is a secret.",
  });
});

it('what is secret in a record keeps nothing else of it from the catalogue', () => {
  const config = configOf('GatewayPluginRateLimiting');
  expect(config?.secretMembers).toContain('redis.password');
  expect(adviceOn('modified', true, config).verbs).toContain('accept');
});

it('what is not is', () => {
  expect(adviceOn('modified', true).verbs).toContain('accept');
});
