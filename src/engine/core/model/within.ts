import path from 'node:path';

/**
 * True when a path lies in a folder, or is it; both absolute, taken as they are written. `rules` are this system's: on Windows, case
 * and the kind of slash tell no two paths apart, and another drive is elsewhere.
 */
export function isWithin(folder: string, file: string, rules: path.PlatformPath = path): boolean {
  const relative = rules.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${rules.sep}`) && !rules.isAbsolute(relative);
}
