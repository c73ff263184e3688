import type { FieldDefinition, TypeDefinition } from '../providers/rest/definition.js';

/** One thing that a renewed description changes for people who declare the type. */
export interface TypeChange {
  readonly type: string;
  readonly field?: string;
  readonly what: 'appears' | 'vanishes' | 'now replaces' | 'no longer replaces' | 'becomes required' | 'becomes secret';
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
    ...required,
    ...(old.secret !== true && next.secret === true ? [change('becomes secret', true)] : []),
  ];
}

function replacing({ operations }: TypeDefinition, name: string, { replaces }: FieldDefinition): boolean {
  return operations.update === undefined || replaces !== undefined || operations.create.includes(`{${name}}`);
}

function byName(definitions: readonly TypeDefinition[]): ReadonlyMap<string, TypeDefinition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}
