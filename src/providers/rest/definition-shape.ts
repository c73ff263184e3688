import { isObject, ownMember } from '@platform-sync/core/model/value';

const name = /^[A-Za-z]\w*$/;
const call = /^(?:GET|POST|PUT|PATCH|DELETE) \/(?!\/)\S*$/;

/** What in a definition is none: the program relies on the rest of these before it looks closer, and says more itself. */
export function wrongShape(definition: Readonly<Record<string, unknown>>): readonly string[] {
  const { operations = null, list = null, fields = null, outputs = {}, naturalKey = null, absence } = definition;
  const calls = isObject(operations) ? operations : {};
  const wrong = [
    typeof definition['description'] !== 'string' && '"description" is no text',
    typeof calls['create'] !== 'string' && 'it has no "operations.create"',
    ...['create', 'read', 'update', 'delete'].map(
      (key) =>
        calls[key] !== undefined &&
        !call.test(textIn(calls[key])) &&
        `"operations.${key}" is no call such as GET /shelves/{id}`,
    ),
    list !== null && wrongList(list),
    !areNames(naturalKey) && '"naturalKey" is no list of names',
    absence !== undefined && about('absence', wrongAbsence(absence)),
    ...[fields, outputs].flatMap((group) =>
      isObject(group)
        ? Object.entries(group).map(([field, rows]) => wrongField(field, rows))
        : ['"fields" and "outputs" are maps'],
    ),
    definition['hooks'] !== undefined && 'hooks are for programs; a file of types has none',
  ];
  return wrong.filter((each) => each !== false);
}

/** A name that every object has anyway would be found where there is no such value. */
function wrongField(field: string, rows: unknown): string | false {
  if (field in Object.prototype) return `the field "${field}" needs another name, and "wire: ${field}"`;
  return !(name.test(field) && isObject(rows)) && `the field "${field}" is none`;
}

function about(row: string, problem: string | undefined): string | false {
  return problem !== undefined && `"${row}" ${problem}`;
}

const kinds: Readonly<Record<string, readonly string[]>> = {
  ...{ number: ['number'], offset: ['offset'], cursor: ['cursor'], last: ['cursor'], link: [], none: [] },
  tree: ['children', 'parent'],
};

function wrongList(list: unknown): string | false {
  if (!isObject(list) || !/^\/(?!\/)\S*$/.test(textIn(list['get']))) return '"list.get" is no path';
  const { paging } = list;
  if (paging === undefined) return false;
  const needed = isObject(paging) ? ownMember(kinds, textIn(paging['by'])) : undefined;
  if (needed === undefined || !isObject(paging)) return `"list.paging.by" is one of ${Object.keys(kinds).join(', ')}`;
  const missing = ['items', ...needed].find((key) => typeof paging[key] !== 'string');
  if (missing !== undefined) return `"list.paging.${missing}" is no text`;
  const ways = ['next', 'more', 'total'].filter(
    (key) => paging[key] !== undefined || (key === 'next' && paging['by'] === 'cursor'),
  );
  const wrong = ways.find((key) => !areNames(paging[key]));
  return wrong !== undefined && `"list.paging.${wrong}" is no list of names`;
}

const absences = ['problem-404', 'empty-404', 'unlisted-404', 'two-lists', 'empty'] as const;

/** What is wrong with how an object shows that it is gone; undefined: nothing. */
export function wrongAbsence(absence: unknown): string | undefined {
  if (typeof absence === 'string' && absences.some((each) => each === absence)) return undefined;
  const forms = `is one of ${absences.join(', ')}, or what an answer holds: {status: 404, body: {message: "*"}}`;
  if (!isObject(absence)) return forms;
  const { status, body } = absence;
  const isBody = body === undefined || (isObject(body) && Object.keys(body).length > 0);
  return (status === 404 || status === 410) && isBody ? undefined : forms;
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function areNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
