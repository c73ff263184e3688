import { describeObject } from '../export/found-object.js';
import type { Fitting } from '../export/fit-rules.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import type { ReferredFiles } from '../specification/references.js';
import { documents, isSpecificationOf } from './specifications.js';

/** Objects whose specification the gate of plans would refuse: what is written says that it is published all the same. */
export async function brokenObjects(
  objects: Fitting['objects'],
): Promise<{ readonly keys: ReadonlySet<string>; readonly diagnostics: readonly Diagnostic[] }> {
  const keys = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const [key, { object, fields }] of objects) {
    const problems = await brokenFields(object.type, fields, describeObject(object));
    if (problems.length > 0) keys.add(key);
    diagnostics.push(...problems);
  }
  return { keys, diagnostics };
}

/** What is wrong with the specifications of an object as it exists, as warnings: none of the project's files belong to it. */
async function brokenFields(
  type: ResourceType,
  fields: ReadonlyMap<string, Json>,
  name: string,
): Promise<readonly Diagnostic[]> {
  const { specificationProblems } = await import('../specification/check.js');
  const at = { file: '', start: 0, end: 0 };
  const values = documents(type).flatMap(({ name: field }) => {
    const text = fields.get(field);
    if (typeof text !== 'string') return [];
    const shared = { address: name, field, text, at, isSecret: false, exception: 'option' as const };
    return [{ ...shared, isCertain: isSpecificationOf(type, field) }];
  });
  const none: ReferredFiles = { read: () => ({ ok: false, why: 'missing' }) };
  const found = await specificationProblems(values, {
    files: none,
    sources: { place: () => ({ file: '', line: 1, column: 1 }) },
  });
  return found.flatMap(({ address: _, place: _place, ...problem }) =>
    problem.code === 'unknown-specification-version' ? [] : [problem],
  );
}
