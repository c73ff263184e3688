/** The expressions of workflows, as far as the recipes use them: names, texts, `always()`, `==`, `!=`, `&&`, `||`, brackets. */
type Value = string | boolean;

/** What an expression comes to; like there, `&&` and `||` give one of their sides. */
export function evaluated(expression: string, known: Readonly<Record<string, string>>): Value {
  const tokens = expression.match(/'[^']*'|==|!=|&&|\|\||[()]|[\w.-]+/g) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const taken = (token: string): boolean => tokens[at] === token && next() === token;
  const operand = (): Value => {
    if (taken('(')) {
      const value = either();
      if (!taken(')')) throw new Error(`no closing bracket: ${expression}`);
      return value;
    }
    const token = next();
    if (token.startsWith("'")) return token.slice(1, -1);
    if (token === 'always' && taken('(') && taken(')')) return true;
    const value = known[token];
    if (value === undefined) throw new Error(`not a name this test knows: ${token}`);
    return value;
  };
  const comparison = (): Value => {
    const left = operand();
    if (taken('==')) return left === operand();
    return taken('!=') ? left !== operand() : left;
  };
  const both = (): Value => {
    let left = comparison();
    while (taken('&&')) {
      const right = comparison();
      left = left === '' || left === false ? left : right;
    }
    return left;
  };
  const either = (): Value => {
    let left = both();
    while (taken('||')) {
      const right = both();
      left = left === '' || left === false ? right : left;
    }
    return left;
  };
  const value = either();
  if (at < tokens.length) throw new Error(`not an expression this test knows: ${expression}`);
  return value;
}

/** A text with the expressions in it filled in. */
export function interpolated(text: string, known: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_whole, expression: string) => String(evaluated(expression, known)));
}
