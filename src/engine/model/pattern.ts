/** Letters that mean something in regular expressions. */
const special = /[\\^$.*+?()[\]{}|]/g;

/** The expression that whole texts of a pattern match. `*` stands for any text, unless `stars` says what runs of `*` stand for. */
export function patternOf(pattern: string, stars: (run: string) => string = () => '.*'): RegExp {
  const parts = pattern.split(/(\*+)/);
  const source = parts.map((part, at) => (at % 2 === 1 ? stars(part) : part.replace(special, String.raw`\$&`)));
  return new RegExp(`^${source.join('')}$`, 'su');
}
