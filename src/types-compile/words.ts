/** `Shelves` → `Shelf` is beyond rules: the usual endings, and what is corrected by hand. */
export function singular(word: string): string {
  if (/(?:ss|us|is)$/i.test(word) || /(?<![a-z])(?:aw|o|[b-df-hj-np-tv-z]{1,2})s$/i.test(word)) return word;
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/elves$/i.test(word)) return `${word.slice(0, -3)}f`;
  if (/(?:ch|sh|x|ss)es$/i.test(word)) return word.slice(0, -2);
  return /s$/i.test(word) ? word.slice(0, -1) : word;
}

/** `auth-servers` → `AuthServers`, `api_id` → `ApiId`. */
export function pascal(text: string): string {
  return wordsOf(text)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `api_id` → `apiId`. */
export function camel(text: string): string {
  const name = pascal(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** `displayName` → `Display name.`: short words of our own, no sentence of the description. */
export function sentence(name: string): string {
  const words = wordsOf(name).map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}
