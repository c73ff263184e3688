import { expect, it } from 'vitest';
import { adviceOn } from '../../../src/engine/drift/advice.js';
import { platformPackage } from '../../../src/providers/platform/package.js';

const config = platformPackage.types.get('platform:index/gatewayPluginRateLimiting:GatewayPluginRateLimiting')?.fields[
  'config'
];

it('what is secret is not offered to be written into the catalogue', () => {
  expect(config?.secret).toBe(true);
  expect(adviceOn('modified', true, config)).toEqual({
    verbs: ['revert', 'record', 'ignore'],
    todo: "Put it back with revert; accept can't write it, because it is a secret.",
  });
});

it('what is not is', () => {
  expect(adviceOn('modified', true).verbs).toContain('accept');
});
