/** `gh-readonly-queue/main/pr-5-0123…` → 5 */
export function queuedRequest(ref: string): number | undefined {
  const match = /^(?:refs\/heads\/)?gh-readonly-queue\/.+\/pr-(\d{1,9})-[0-9a-f]{40}$/.exec(ref);
  return match === null ? undefined : Number(match[1]);
}
