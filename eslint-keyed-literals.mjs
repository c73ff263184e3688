import ts from 'typescript';

/** A record by names: `Record<string, …>`, `Readonly<Record<string, …>>`. */
const isByNames = (type) => {
  const [first] = type?.typeArguments?.params ?? [];
  if (type?.typeName?.name === 'Readonly') return isByNames(first);
  return type?.typeName?.name === 'Record' && first?.type === 'TSStringKeyword';
};

/** A text that begins with letters of ours: no name that every object has. */
const isOurs = ({ type, quasis }) => {
  if (type !== 'TemplateLiteral') return false;
  const [{ value }] = quasis;
  return value.raw !== '' && !Object.getOwnPropertyNames(Object.prototype).some((name) => name.startsWith(value.raw));
};

/**
 * `const found = {}; found[name] = value` takes names that every object has from its prototype for entries, and loses one called
 * `__proto__`, or changes all objects there are. Names come from files and answers: they are keys of a Map, of
 * `Object.fromEntries`, or of `emptyRecord()`. Read by such a name, `record[name]` finds what every object has: `ownMember(record, name)`
 * doesn't. Seen are records that the file itself declares as such; a name of a loop over the record's own keys is one of them. With
 * types at hand, members of others are seen, too (`plan.targets[name]`), but for those called as `safe` says: records that inherit
 * nothing, and those whose keys are names of fields.
 */
export const keyedLiterals = {
  meta: {
    type: 'problem',
    schema: [
      {
        type: 'object',
        properties: { reads: { type: 'boolean' }, safe: { type: 'array', items: { type: 'string' } } },
        additionalProperties: false,
      },
    ],
    messages: {
      keyed:
        'A plain object is keyed by names that others choose: use a Map (and Object.fromEntries), or emptyRecord().',
      read: 'A name that others choose finds what every object has: use ownMember(record, name).',
    },
  },
  create(context) {
    const isEmpty = (node) => node?.type === 'ObjectExpression' && node.properties.length === 0;
    /** `{}` alone, or behind `as`, `satisfies` and such. */
    const isLiteral = (node) => isEmpty(node?.expression ?? node);
    /** True for `of[name] = …`, whatever the operator, where the name is computed. */
    const isKeyed = (of) => {
      const member = of.parent;
      if (member?.type !== 'MemberExpression' || member.object !== of || !member.computed) return false;
      if (member.property.type === 'Literal') return false;
      const { parent } = member;
      return parent.type === 'AssignmentExpression' && parent.left === member;
    };
    const variablesOf = (node) => context.sourceCode.getDeclaredVariables(node);
    /** `Partial<Record<Word, …>>`: the names are words of ours. */
    const hasOwnWords = ({ typeAnnotation }) => typeAnnotation?.typeAnnotation.typeName?.name === 'Partial';
    const definitionOf = (node) => {
      for (let scope = context.sourceCode.getScope(node); scope !== null; scope = scope.upper) {
        const variable = scope.set.get(node.name);
        if (variable !== undefined) return variable.defs[0];
      }
      return undefined;
    };
    const declaredType = ({ name, node }) => (name?.typeAnnotation ?? node.id?.typeAnnotation)?.typeAnnotation;
    const isRead = ({ parent, range: [start] }) =>
      !(parent.type === 'AssignmentExpression' && parent.left.range[0] === start) && parent.operator !== 'delete';
    const { reads = true, safe = [] } = context.options[0] ?? {};
    /** What the compiler knows; nothing where it wasn't asked. */
    const { program, esTreeNodeToTSNodeMap: nodes } = context.sourceCode.parserServices ?? {};
    const typesOf = (node) => {
      const checker = program.getTypeChecker();
      const own = checker.getTypeAtLocation(nodes.get(node));
      const type = checker.getNonNullableType(checker.getBaseConstraintOfType(own) ?? own);
      return type.isUnion() ? type.types : [type];
    };
    /** Any text, not one of the words that a type lists. */
    const isAnyText = (type) => (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) !== 0;
    const isOpenRecord = (type) => program.getTypeChecker().getIndexInfoOfType(type, ts.IndexKind.String) !== undefined;
    const properties = [];
    const keyed = new Set();
    return {
      VariableDeclarator(node) {
        if (!isLiteral(node.init) || hasOwnWords(node.id)) return;
        const uses = variablesOf(node).flatMap(({ references }) => references.map(({ identifier }) => identifier));
        if (uses.some(isKeyed)) context.report({ node, messageId: 'keyed' });
      },
      PropertyDefinition(node) {
        if (isLiteral(node.value)) properties.push(node);
      },
      'MemberExpression[computed=true][object.type="Identifier"]'(node) {
        if (node.property.type === 'Literal' || !isRead(node) || !reads) return;
        const definition = definitionOf(node.object);
        // It has no names but its own.
        if (definition?.node.init?.callee?.name === 'emptyRecord') return;
        if (definition !== undefined && isByNames(declaredType(definition)))
          context.report({ node, messageId: 'read' });
      },
      'MemberExpression[computed=true][object.type="MemberExpression"]'(node) {
        if (!program || !reads || node.property.type === 'Literal' || isOurs(node.property) || !isRead(node)) return;
        if (!node.object.computed && safe.includes(node.object.property.name)) return;
        if (typesOf(node.property).some(isAnyText) && typesOf(node.object).some(isOpenRecord))
          context.report({ node, messageId: 'read' });
      },
      'MemberExpression[object.type="ThisExpression"]'(node) {
        if (isKeyed(node)) keyed.add(node.property.name);
      },
      'Program:exit'() {
        for (const node of properties) if (keyed.has(node.key.name)) context.report({ node, messageId: 'keyed' });
      },
      // `all.reduce((found, each) => { found[each] = …; return found; }, {})`
      CallExpression({ callee, arguments: given }) {
        if (callee.type === 'MemberExpression' && callee.property.name === 'reduce' && isLiteral(given[1]))
          context.report({ node: given[1], messageId: 'keyed' });
      },
      // `at[name] ??= {}`: the next step writes into what was found there.
      AssignmentExpression({ left, operator, right }) {
        const isNested = operator === '??=' && isLiteral(right) && left.type === 'MemberExpression' && left.computed;
        if (isNested) context.report({ node: right, messageId: 'keyed' });
      },
    };
  },
};
