import type { JsonObject } from '@platform-sync/core/model/value';

/** sync.yaml of a project whose guards hold nothing back. */
export const lenient = 'project: test\nguards: {maxDeletes: 1000, maxDeletePercent: 100}\n';

export const api = (name: string, options: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:Api', properties: { name }, options, children },
});
