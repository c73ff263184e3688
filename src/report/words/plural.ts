/** `1 error`, `3 errors`; `plural` where an s is not enough. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
