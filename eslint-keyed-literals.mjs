/**
 * `const found = {}; found[name] = value` takes names that every object has from its prototype for entries, and loses one called
 * `__proto__`, or changes all objects there are. Names come from files and answers: they are keys of a Map, of
 * `Object.fromEntries`, or of `emptyRecord()`.
 */
export const keyedLiterals = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      keyed:
        'A plain object is keyed by names that others choose: use a Map (and Object.fromEntries), or emptyRecord().',
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
