import type { Address } from './address.js';
import { sha256 } from './canonical.js';
import type { Expression } from './expression.js';
import type { DesiredResource } from './desired.js';
import type { FieldRule, ResourceType } from './resource-type.js';
import type { StackKey } from './state.js';
import { type JsonObject, isObject } from './value.js';

/** The field that a mark is for everything but the provider. It stands in no catalogue: no property is spelt so. */
export const markField = 'ownership mark';

/** The labels that a mark is made of. They are this tool's own: no catalogue may set them. */
export const markLabels = { stack: 'platform-sync-stack', address: 'platform-sync-address' } as const;

/** Whose an object is, as one text: `payments.prod/petstore.guide`. */
export function markOf(owner: StackKey, address: Address): string {
  return `${stackOf(owner)}/${labelText(address.replaceAll('/', '.'))}`;
}

/** How a mark names a stack. */
export function stackOf({ project, stack }: StackKey): string {
  return labelText(`${project}.${stack}`);
}

/** The two halves of a mark as people read them. */
export function markParts(mark: string): { readonly stack: string; readonly address: string } {
  const slash = mark.indexOf('/');
  return { stack: mark.slice(0, slash), address: mark.slice(slash + 1) };
}

/** What a label may hold, or else its beginning and a digest: 63 characters, letters and digits at both ends. */
function labelText(text: string): string {
  if (/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(text)) return text;
  const start = text.replace(/^[^A-Za-z0-9]+/, '').slice(0, 40);
  return `${start === '' ? 'x' : start}.${sha256(text).slice(0, 20)}`;
}

/** The labels of an object that bears a mark. */
export function labelsWith(labels: JsonObject, mark: string | undefined): JsonObject {
  if (mark === undefined) return labels;
  const { stack, address } = markParts(mark);
  return { ...labels, [markLabels.stack]: stack, ...(address === '' ? {} : { [markLabels.address]: address }) };
}

/** Takes the mark out of labels; a half of one is a mark, too, and equals none that is whole. */
export function withoutMark(labels: JsonObject): { readonly labels: JsonObject; readonly mark?: string } {
  const { [markLabels.stack]: stack, [markLabels.address]: address, ...others } = labels;
  if ((stack ?? null) === null && (address ?? null) === null) return { labels };
  const text = (half: JsonObject[string] | undefined): string => (typeof half === 'string' ? half : '');
  return { labels: others, mark: `${text(stack)}/${text(address)}` };
}

/** May objects of the type bear a mark? It is written by updates, too. */
export function isMarked(type: Pick<ResourceType, 'markedIn' | 'updatable'>): boolean {
  return type.markedIn !== undefined && type.updatable;
}

/** The rule of the field for marks. */
export const markRule: FieldRule = {
  ...{ name: markField, type: 'string', description: 'Which resource of which stack the object belongs to.' },
  ...{ input: false, required: false, computed: false, alwaysReturned: false, isMark: true },
  ...{ onChange: 'update', equality: 'exact', writeOnly: false, inList: true, clearing: { by: 'null' } },
  ...{ stable: false, secret: false, schema: { type: 'string' } },
};

/** A resource that says whose its object is, beside what the file says. */
export function markedResource(resource: DesiredResource, owner: StackKey): DesiredResource {
  const mark: Expression = { kind: 'literal', value: markOf(owner, resource.address), at: resource.at };
  return { ...resource, properties: new Map([...resource.properties, [markField, mark]]) };
}

/** The mark that a resource is to bear, or an object bears, by the value of its field. */
export function markIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The members of a label map; none for anything else. */
export function labelsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
