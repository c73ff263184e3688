const parameter = String.raw`\s*;\s*([\w!#$&+.^|~-]+\*?)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+)))?`;
/** A link with all its parameters, which are looked at one by one. */
const links = new RegExp(`<([^>]*)>((?:${parameter.replaceAll(/\((?!\?)/g, '(?:')})*)`, 'g');
const parameters = new RegExp(parameter, 'g');

/** The address that a header Link names as the next one (RFC 8288, `rel="next"`). */
export function nextLink(header: string | readonly string[] | undefined): string | undefined {
  const text = [header ?? []].flat().join(', ');
  for (const [, address, said = ''] of text.matchAll(links))
    for (const [, name = '', quoted, plain = ''] of said.matchAll(parameters))
      if (name.toLowerCase() === 'rel' && (quoted ?? plain).toLowerCase().split(/\s+/).includes('next')) return address;
  return undefined;
}
