/** A token travels encrypted, or stays on this machine. */
export function isSafeServer(url: string): boolean {
  try {
    const { protocol, hostname } = new URL(url);
    const isLocal = ['localhost', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname);
    return protocol === 'https:' || (protocol === 'http:' && isLocal);
  } catch {
    return false;
  }
}
