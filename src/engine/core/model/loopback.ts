/** True for the host of an address that never leaves this machine, as `URL.hostname` writes it. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** True where a secret may be sent: encrypted, or not leaving this machine. */
export function mayCarrySecrets({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Where a check may post to; plain HTTP stays on this machine. */
export function isWebhookUrl(text: string): boolean {
  return URL.canParse(text) && mayCarrySecrets(new URL(text));
}
