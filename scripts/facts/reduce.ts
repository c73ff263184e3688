import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/**
 * What descriptions of a service say of every object that can be made, and nothing else: its calls and, for each field of
 * its bodies, where it stands. Tests hold definitions against it. Shares nothing with what makes definitions.
 *
 *     tsx scripts/facts/reduce.ts DESCRIPTION… > test/facts/platform.json   (of several that have a path, the last counts)
 */
type Node = Readonly<Record<string, unknown>>;

interface Fact {
  readonly create: string;
  readonly update?: string;
  readonly delete?: true;
  /** `c` in the create body, `!` required there, `u` in the update body, `a` in the answer, `s` marked as a secret. */
  readonly fields: Readonly<Record<string, string>>;
}

const methods = ['put', 'patch'] as const;

function factsOf(root: Node): ReadonlyMap<string, Fact> {
  const paths = new Map(Object.entries(nodeAt(root, 'paths')).map(([path, item]) => [plain(path), item as Node]));
  const facts = new Map<string, Fact>();
  for (const [path, item] of paths) {
    const own = paths.get(itemOf(path));
    if (item['post'] !== undefined && own !== undefined && path.at(-1) !== '}')
      facts.set(path, factOf(root, 'POST', item['post'] as Node, own));
    else if (item['post'] !== undefined && item['delete'] !== undefined && path.at(-1) !== '}')
      // A lone object that is made and ends.
      facts.set(path, factOf(root, 'POST', item['post'] as Node, item));
    else if (item['post'] !== undefined && path.endsWith('/add') && paths.has(`${parentOf(path)}/remove`))
      // What is made a member by one call, and none by another.
      facts.set(path, factOf(root, 'POST', item['post'] as Node, { delete: true }));
    else if (!facts.has(parentOf(path))) {
      const method = methods.find((name) => item[name] !== undefined);
      if (method !== undefined) facts.set(path, factOf(root, method.toUpperCase(), item[method] as Node, item));
    }
  }
  return facts;
}

/** What follows `#` only tells descriptions of one path apart. */
function itemOf(path: string): string {
  const [sent = path, mark] = path.split('#');
  return mark === undefined ? `${sent}/{}` : `${sent}/{}#${mark}`;
}

function factOf(root: Node, create: string, call: Node, item: Node): Fact {
  const update = methods.find((name) => item[name] !== undefined);
  const fields = new Map<string, Set<string>>();
  const mark = (name: string, letter: string): void =>
    void fields.set(name, (fields.get(name) ?? new Set<string>()).add(letter));
  const made = membersOf(root, bodyOf(root, call));
  const changed = update === undefined ? [] : membersOf(root, bodyOf(root, item[update] as Node));
  const shown = membersOf(root, answerOf(root, (item['get'] ?? call) as Node));
  for (const { name, isRequired } of made.filter(isSent))
    for (const letter of isRequired ? 'c!' : 'c') mark(name, letter);
  for (const { name } of changed.filter(isSent)) mark(name, 'u');
  for (const { name } of shown) mark(name, 'a');
  for (const { name, isSecret } of [...made, ...changed, ...shown]) if (isSecret) mark(name, 's');
  return {
    create,
    ...(update === undefined ? {} : { update: update.toUpperCase() }),
    ...(item['delete'] === undefined ? {} : { delete: true }),
    fields: Object.fromEntries([...fields].map(([name, letters]) => [name, [...letters].join('')])),
  };
}

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly isReadOnly: boolean;
}

function isSent({ isReadOnly }: Member): boolean {
  return !isReadOnly;
}

/** Members of an object, with those of all it is put together of, and of all it may be. */
function membersOf(root: Node, schema: Node | undefined, depth = 0): readonly Member[] {
  if (schema === undefined || depth > 20) return [];
  const at = resolved(root, schema);
  const required = new Set((at['required'] as readonly string[] | undefined) ?? []);
  const own = Object.entries((at['properties'] ?? {}) as Node).map(([name, member]) => {
    const facts = { ...resolved(root, member as Node), ...(member as Node) };
    return {
      name,
      isRequired: required.has(name),
      isSecret: isSecret(root, facts),
      isReadOnly: facts['readOnly'] === true,
    };
  });
  const parts = (key: string): readonly Node[] => (at[key] ?? []) as readonly Node[];
  const all = parts('allOf').flatMap((part) => membersOf(root, part, depth + 1));
  // What each of several wants is wanted of all.
  const branches = [...parts('oneOf'), ...parts('anyOf')].map((part) => membersOf(root, part, depth + 1));
  const wanted = branches.map((members) => new Set(members.flatMap((each) => (each.isRequired ? [each.name] : []))));
  const either = branches
    .flat()
    .map((member) => ({ ...member, isRequired: wanted.every((names) => names.has(member.name)) }));
  return [...own, ...all, ...either];
}

/** What holds a secret is one. */
function isSecret(root: Node, facts: Node, depth = 0): boolean {
  if (['x-sensitive', 'x-encrypted', 'x-speakeasy-param-sensitive'].some((mark) => Boolean(facts[mark]))) return true;
  if (depth > 8) return false;
  const inner = facts['type'] === 'array' ? resolved(root, nodeAt(facts, 'items')) : facts;
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => (inner[key] ?? []) as readonly Node[]);
  return [...Object.values(nodeAt(inner, 'properties')), ...parts].some((member) =>
    isSecret(root, { ...resolved(root, member as Node), ...(member as Node) }, depth + 1),
  );
}

function bodyOf(root: Node, call: Node): Node | undefined {
  return jsonOf(resolved(root, (call['requestBody'] ?? {}) as Node));
}

function answerOf(root: Node, call: Node): Node | undefined {
  const answers = (call['responses'] ?? {}) as Node;
  const done = Object.keys(answers).find((status) => status.startsWith('2'));
  return done === undefined ? undefined : jsonOf(resolved(root, answers[done] as Node));
}

function jsonOf({ content }: Node): Node | undefined {
  const media = Object.entries((content ?? {}) as Node).find(([type]) => type.includes('json'))?.[1];
  return (media as Node | undefined)?.['schema'] as Node | undefined;
}

function resolved(root: Node, node: Node): Node {
  let at = node;
  for (let steps = 0; typeof at['$ref'] === 'string' && steps < 20; steps += 1)
    at = at['$ref'].slice(2).split('/').reduce(nodeAt, root);
  return at;
}

function nodeAt(node: Node, name: string): Node {
  return (node[name] ?? {}) as Node;
}

/** `/v3/apis/{}` of `/v3/apis/{apiId}`: what parameters are called is no fact. */
function plain(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}');
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

const all = process.argv.slice(2).flatMap((file) => [...factsOf(parse(readFileSync(file, 'utf8')) as Node)]);
const lines = [...new Map(all)]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([path, fact]) => `  ${JSON.stringify(path)}: ${JSON.stringify(fact)}`);
console.log(`{\n${lines.join(',\n')}\n}`);
