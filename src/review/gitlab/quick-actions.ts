/**
 * A line that begins with `/merge` is an order there, carried out with the token's rights. A backslash makes it text
 * and shows nothing; in a code block, where it would be shown, a blank does the same.
 */
export function withoutQuickActions(markdown: string): string {
  let fence: string | undefined;
  return markdown
    .split('\n')
    .map((line) => {
      const [, run, rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
      if (run !== undefined && fence === undefined) fence = run;
      else if (run !== undefined && fence !== undefined && run.startsWith(fence) && rest.trim() === '')
        fence = undefined;
      return line.replace(/^(\s*)\//, fence === undefined ? '$1\\/' : '$1 /');
    })
    .join('\n');
}
