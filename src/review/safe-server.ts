import { mayCarrySecrets } from '@platform-sync/core/model/loopback';

/** A token travels encrypted, or stays on this machine. */
export function isSafeServer(url: string): boolean {
  return URL.canParse(url) && mayCarrySecrets(new URL(url));
}
