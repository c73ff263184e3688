// V8 as of Node 20 gives each object that a literal like `{ ...a, b }` makes a hidden class of its own: making it takes four times as
// long and 360 bytes more, and whoever reads it finds a shape never seen before. A spread that is not the first thing in its literal
// does not do that, and a spread of null adds nothing.
import ts from 'typescript';

/** The same program, in which no literal that goes on after a spread begins with it. */
export function spreadLater(text, name) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const places = [];
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node) && node.properties.length > 1) {
      const [first] = node.properties;
      if (ts.isSpreadAssignment(first)) places.push(first.getStart(file));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  let at = 0;
  const parts = [];
  for (const place of places) {
    parts.push(text.slice(at, place));
    at = place;
  }
  return [...parts, text.slice(at)].join('...null,');
}
