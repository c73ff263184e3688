import { parsedJson } from '@platform-sync/core/model/read-json';
import type { Fix } from '../api.js';
import type { MoveBelow } from '@platform-sync/catalogue/edit/move-below';
import { sameMeaning } from '@platform-sync/catalogue/build/meaning';
import { defined } from '@platform-sync/core/model/defined';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import { importIdOf } from '../apply/import-id.js';
import type { Plan } from '@platform-sync/core/model/plan';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isObject, type Json } from '@platform-sync/core/model/value';
import type { Workspace } from '../workspace.js';

/** A property that would replace its object, and could be edited in place in an object of its own. */
export interface Move {
  readonly fix: Fix;
  readonly move: MoveBelow;
}

/** What the replacements of a plan are for and the platform keeps in an object below: there it can be edited in place. */
export async function movesOf(plan: Plan, workspace: Workspace, desired: DesiredState): Promise<readonly Move[]> {
  const kept = plan.steps.flatMap(({ address, type: token, action, fields }) => {
    const type = workspace.typeOf(token);
    const field = fields.find(({ field: name, rule }) => rule === 'replace' && type.fields[name]?.keptAs !== undefined);
    return action === 'replace' && field !== undefined ? [{ address, type, field: field.field }] : [];
  });
  if (kept.length === 0) return [];
  await workspace.loadPackages(kept.map(({ type, field }) => type.fields[field]?.keptAs ?? ''));
  const { resources } = await (await workspace.state()).read();
  return kept.map(({ address, type, field }) => {
    const below = workspace.typeOf(type.fields[field]?.keptAs ?? '');
    const record = resources.get(address);
    const shown = record?.outputs[type.fields[field]?.movesWith ?? ''];
    const importId = record === undefined ? undefined : existing(below, record.identity.id, shown);
    const key = freeKey(address, desired);
    const allowBroken = desired.resources.get(address)?.options.allowBrokenSpecification;
    const move = { address, field, key, type: below.shortToken, ...defined({ importId, allowBroken }) };
    return { fix: { address, option: 'children', value: key }, move };
  });
}

/** The import id of the object that the output shows. */
function existing(below: ResourceType, parent: string, shown: Json | undefined): Json | undefined {
  const id = isObject(shown) ? shown['id'] : undefined;
  const field = below.parent?.field;
  if (typeof id !== 'string' || field === undefined) return undefined;
  const text = importIdOf(below, { identity: { id, scope: { [field]: parent } } });
  return text.startsWith('{') ? parsedJson(text) : text;
}

function freeKey(address: Address, desired: DesiredState): string {
  const isFree = (key: string): boolean => !desired.resources.has(`${address}/${key}`);
  const names = ['version', ...Array.from(desired.resources, (_, at) => `version${at + 2}`)];
  return names.find(isFree) ?? 'version';
}

/** The catalogue as it was before these moves; undefined where one did something else than move. */
export function movedBack(now: DesiredState, before: DesiredState, moves: readonly Move[]): DesiredState | undefined {
  const resources = new Map(now.resources);
  for (const { move } of moves) {
    const child = `${move.address}/${move.key}`;
    const [added, above, old] = [resources.get(child), resources.get(move.address), before.resources.get(move.address)];
    const [was, is] = [old?.properties.get(move.field), added?.properties.get(move.field)];
    if (added === undefined || above === undefined || was === undefined || is === undefined) return undefined;
    if (above.properties.has(move.field) || !sameMeaning(new Map([['', was]]), new Map([['', is]]))) return undefined;
    resources.delete(child);
    resources.set(move.address, withProperty(above, old, move.field));
  }
  return { ...now, resources };
}

/** In the order it had. */
function withProperty(resource: DesiredResource, old: DesiredResource | undefined, field: string): DesiredResource {
  const names = [...(old?.properties.keys() ?? [])];
  const all = new Map([...resource.properties, ...[...(old?.properties ?? [])].filter(([name]) => name === field)]);
  const inOrder = names.flatMap((name) => {
    const value = all.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...resource, properties: new Map(inOrder) };
}
