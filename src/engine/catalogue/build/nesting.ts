import type { Expression } from '../../model/expression.js';
import type { ResourceType } from '../../model/resource-type.js';
import type { Assembled } from './assembled.js';
import type { BuildContext } from '../read/build-context.js';
import type { RawResource } from '../read/raw-file.js';
import type { Entries } from '../read/shape.js';

const idPath = ['id'];

/** What a child gets from the resource it is written under. Undefined (reported) when it can't stand there. */
export function givenByParent(
  raw: RawResource,
  type: ResourceType,
  own: Entries,
  parent: Assembled,
  context: BuildContext,
): readonly (readonly [field: string, value: Expression])[] | undefined {
  const nesting = type.nesting.find((rule) => rule.under === parent.type.token);
  if (nesting === undefined) {
    context.problems.add(
      'cannot-nest',
      raw.type?.at ?? raw.at,
      `A ${type.shortToken} can't stand under a ${parent.type.shortToken}.`,
      {
        hint: nestingHint(type, parent),
        address: raw.address,
      },
    );
    return undefined;
  }
  for (const field of [nesting.field, ...nesting.inherits]) {
    const given = own.get(field);
    if (given === undefined) continue;
    context.problems.add(
      'parent-field-given',
      given.key,
      `"${field}" of ${raw.address} comes from where it is written.`,
      {
        detail: `Under ${parent.desired.address}, its value follows from the resource above.`,
        hint: `Remove the line, or move ${raw.key} out of "children".`,
        address: raw.address,
        field,
      },
    );
  }
  const target = parent.desired.address;
  const above: Expression = {
    ...{ kind: 'reference', to: 'resource', target },
    ...{ path: idPath, text: `${target}.id`, at: raw.at },
  };
  const given: [string, Expression][] = [[nesting.field, above]];
  for (const field of nesting.inherits) {
    const inherited = parent.desired.properties.get(field);
    if (inherited !== undefined) given.push([field, inherited]);
  }
  return given;
}

function nestingHint(type: ResourceType, { type: above, desired }: Assembled): string {
  const parents = type.nesting.map((rule) => rule.under.replace(/:.*:/, ':'));
  const place =
    parents.length === 0
      ? 'It has no parent: write it directly under "resources".'
      : `It can stand under ${parents.join(' or ')}.`;
  const naming = Object.values(type.fields).find(({ input, references }) => input && references === above.token);
  if (naming === undefined) return place;
  const id = `\${${desired.address}.id}`;
  return `${place} There, ${naming.name}: ${naming.type === 'array' ? `[ "${id}" ]` : id} says that it belongs to this one.`;
}
