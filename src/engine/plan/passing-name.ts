import { sha256 } from '../model/canonical.js';
import type { Address } from '../model/address.js';
import { addTo } from '../model/graph.js';
import type { Risk } from '../model/plan.js';
import type { FieldRule } from '../model/resource-type.js';
import type { Operation } from './step.js';

/**
 * A value that a field can have for a moment, and that nobody else gives it: an object steps aside under it, so that another one
 * can take what it has. Undefined where the field takes none that is known to be legal.
 */
export function passingName(rule: Pick<FieldRule, 'type' | 'references' | 'schema'>, id: string): string | undefined {
  if (rule.type !== 'string' || rule.references !== undefined) return undefined;
  const digest = sha256(id).slice(0, 16);
  return [`moving-${id}`, `moving-${digest}`, `moving${digest}`].find((name) => isLegal(rule, name));
}

// A platform may hold texts of any other rule (a format, a list of choices) to more than their schema says.
const understood = new Set([
  'type',
  'description',
  'title',
  'default',
  'examples',
  'minLength',
  'maxLength',
  'pattern',
]);

function isLegal({ schema }: Pick<FieldRule, 'schema'>, text: string): boolean {
  if (Object.keys(schema).some((keyword) => !understood.has(keyword) && !keyword.startsWith('x-'))) return false;
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === 'number' && text.length < minLength) return false;
  if (typeof maxLength === 'number' && text.length > maxLength) return false;
  return typeof pattern !== 'string' || (isPlain(pattern) && new RegExp(pattern, 'u').test(text));
}

const character = String.raw`(?:\[(?:\\.|[^\]\\])*\]|\\[dwDW.\-/_]|[^()[\]|\\*+?{}^$])`;
const plain = new RegExp(`^\\^?(?:${character}(?:\\?|\\{\\d+(?:,\\d*)?\\})?|${character}[*+])*\\$?$`, 'u');

/**
 * A sequence of characters and classes with few repeats, no group and no choice: the language's own engine can't be kept busy by it,
 * and the planner needs no other. Of any other pattern nothing is known.
 */
function isPlain(pattern: string): boolean {
  return plain.test(pattern) && (pattern.match(/[*+{]/g) ?? []).length <= 4;
}

/** What a reviewer must see of objects that step aside: under which name, and for whom. */
export function passingNames(operations: readonly Operation[]): ReadonlyMap<Address, readonly Risk[]> {
  const parks = operations.filter(({ kind }) => kind === 'park');
  if (parks.length === 0) return new Map();
  const takers = new Map<string, Address[]>(parks.map(({ id }) => [id, []]));
  for (const { address, dependsOn } of operations)
    for (const id of dependsOn) if (takers.has(id) && !id.startsWith(`${address} `)) addTo(takers, id, address);
  return new Map(
    parks.map(({ id, address, parking = {} }) => {
      const whom = (takers.get(id) ?? []).join(' and ');
      const risks = Object.entries(parking).map(([field, value]): Risk => {
        return {
          kind: 'steps-aside',
          what: `its ${field} is first ${value}, so that ${whom} can have the present one`,
        };
      });
      return [address, risks];
    }),
  );
}
