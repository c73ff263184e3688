import { catalogueText, type WrittenResource, type WrittenValue } from '@platform-sync/catalogue/edit/write';
import type { Json } from '@platform-sync/core/model/value';
import { plain } from '../catalogue/plain.js';
import { loadFiles } from '../catalogue/scratch-project.js';

export const document = (key: string, properties: Record<string, WrittenValue>): WrittenResource => ({
  key,
  type: 'platform:ApiProductDocument',
  properties: new Map(Object.entries(properties)),
  children: [],
});
export const value = (json: Json): WrittenValue => ({ kind: 'value', value: json });

/** What the loader makes of a written value, by property of the resource `page`. */
export async function readBack(properties: Record<string, WrittenValue>): Promise<unknown> {
  const loaded = await loadFiles({ 'a.yaml': catalogueText([document('page', properties)]) });
  const found = loaded.desired?.resources.get('page')?.properties;
  if (found === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return Object.fromEntries([...found].map(([name, expression]) => [name, plain(expression)]));
}

/** What a document needs besides. */
export const place = {
  apiProductId: value('00000000-0000-4000-8000-000000000000'),
  slug: value('s'),
  status: value('published'),
};
