import { describe, expect, it } from 'vitest';
import { platformPackage } from '@platform-sync/platform/package';
import { loadFiles } from '../engine/catalogue/scratch-project.js';

/** Null where a field cannot be null is one mistake, and told once, whatever else a value of the field would have to be. */

const types = [...platformPackage.types.values()];
const rows = types.flatMap((type) =>
  Object.values(type.fields).flatMap((rule) => (rule.input ? [{ type, rule }] : [])),
);

describe('a null', () => {
  it('draws one complaint where it is none of the field’s values, and none where it is: every field of every type', async () => {
    expect(rows.length).toBeGreaterThan(1000);
    // A line for each field, at four lines a resource.
    const lines = rows.flatMap(({ type, rule }, at) => [
      ...[`  r${at}:`, `    type: ${type.shortToken}`, '    properties:', `      ${rule.name}: null`],
    ]);
    const { diagnostics } = await loadFiles(`resources:\n${lines.join('\n')}\n`);
    const told = new Map<number, string[]>();
    for (const { place, code, severity } of diagnostics)
      if (severity === 'error') told.set(place?.line ?? 0, [...(told.get(place?.line ?? 0) ?? []), code]);
    const wrong = rows.flatMap(({ type, rule }, at) => {
      const codes = told.get(4 * at + 5) ?? [];
      const isAsItShouldBe = codes.length === 0 || (codes.length === 1 && codes[0] === 'null-not-allowed');
      return isAsItShouldBe ? [] : [`${type.name}.${rule.name}: ${codes.join()}`];
    });
    expect(wrong).toEqual([]);
    expect([...told.values()].flat().filter((code) => code === 'null-not-allowed').length).toBeGreaterThan(5);
  });
});
