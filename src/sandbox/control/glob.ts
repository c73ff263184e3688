/** A matcher of paths: `*` stands for anything within one segment, `**` for anything at all. */
export function glob(pattern: string): (path: string) => boolean {
  const parts = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
  });
  const compiled = new RegExp(`^${parts.join('')}$`);
  return (path) => compiled.test(path);
}
