import type { FieldDefinition, FieldType, TypeDefinition } from '@platform-sync/rest/definition';
import { updatesOnly } from '@platform-sync/rest/marked-members';

/** One thing that a renewed description changes for people who declare the type. */
interface TypeChange {
  readonly type: string;
  readonly field?: string;
  readonly what:
    | 'appears'
    | 'vanishes'
    | 'now replaces'
    | 'no longer replaces'
    | 'now replaces in more cases'
    | 'now replaces in fewer cases'
    | 'becomes required'
    | 'becomes secret';
  /** Kinds and members of which an update takes no change any more, or takes one now. */
  readonly of?: readonly string[];
  /** Catalogues that were right may be wrong now, or do something else. */
  readonly breaks: boolean;
}

/** What is otherwise in the newer definitions, by type and field. */
export function diffTypes(old: readonly TypeDefinition[], next: readonly TypeDefinition[]): readonly TypeChange[] {
  const [before, after] = [byName(old), byName(next)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((type): readonly TypeChange[] => {
    const [was, is] = [before.get(type), after.get(type)];
    if (was === undefined || is === undefined)
      return [{ type, what: was === undefined ? 'appears' : 'vanishes', breaks: is === undefined }];
    return [...new Set([...Object.keys(was.fields), ...Object.keys(is.fields)])]
      .sort()
      .flatMap((field) => fieldChanges(was, is, field));
  });
}

function fieldChanges(was: TypeDefinition, is: TypeDefinition, name: string): readonly TypeChange[] {
  const [old, next] = [was.fields[name], is.fields[name]];
  const change = (what: TypeChange['what'], breaks: boolean): TypeChange => ({
    ...{ type: is.name, field: name, what, breaks },
  });
  const isRequired = is.required?.includes(name) === true && was.required?.includes(name) !== true;
  const required = isRequired ? [change('becomes required', true)] : [];
  if (next === undefined) return [change('vanishes', true)];
  if (old === undefined) return [change('appears', false), ...required];
  const [replaced, replaces] = [replacing(was, name, old), replacing(is, name, next)];
  return [
    ...(!replaced && replaces ? [change('now replaces', true)] : []),
    ...(replaced && !replaces ? [change('no longer replaces', false)] : []),
    ...(replaced || replaces ? [] : casesChanged(old, next, change)),
    ...required,
    ...(old.secret !== true && next.secret === true ? [change('becomes secret', true)] : []),
  ];
}

/** Of a record of several kinds, or with members that only creates take. */
function casesChanged(
  old: FieldDefinition,
  next: FieldDefinition,
  change: (what: TypeChange['what'], breaks: boolean) => TypeChange,
): readonly TypeChange[] {
  const [before, after] = [replacingCases(old, next), replacingCases(next, old)];
  const [more, fewer] = [
    after.filter((each) => !before.includes(each)),
    before.filter((each) => !after.includes(each)),
  ];
  return [
    ...(more.length === 0 ? [] : [{ ...change('now replaces in more cases', true), of: more }]),
    ...(fewer.length === 0 ? [] : [{ ...change('now replaces in fewer cases', false), of: fewer }]),
  ];
}

/** Kinds, and paths of members, a change of which replaces; kinds that only the other knows are new, or gone. */
function replacingCases(
  { type = 'string' }: FieldDefinition,
  { type: other = 'string' }: FieldDefinition,
): readonly string[] {
  const { kinds = {}, fixed = [] } = updatesOnly(type) ?? {};
  const replaced = Object.entries(kinds).flatMap(([path, taken]) => {
    const known = [choicesAt(type, path.split('.')), choicesAt(other, path.split('.'))];
    const both = known[0]?.filter((kind) => known[1]?.includes(kind) === true) ?? [];
    return both.filter((kind) => !taken.includes(kind)).map((kind) => `${path}: ${kind}`);
  });
  return [...replaced, ...fixed];
}

function choicesAt(type: FieldType, path: readonly string[]): readonly string[] {
  if (typeof type === 'string') return [];
  if ('choice' in type) return Object.keys(type.values);
  if ('list' in type) return choicesAt(type.list, path);
  const [name = '', ...inner] = path;
  if ('map' in type) return choicesAt(type.map, inner);
  const member = type.members[name];
  return member === undefined || typeof member === 'string' ? [] : choicesAt(member.type ?? 'string', inner);
}

function replacing({ operations }: TypeDefinition, name: string, { replaces }: FieldDefinition): boolean {
  return operations.update === undefined || replaces !== undefined || operations.create.includes(`{${name}}`);
}

function byName(definitions: readonly TypeDefinition[]): ReadonlyMap<string, TypeDefinition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}
