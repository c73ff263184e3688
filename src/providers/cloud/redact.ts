/** Takes secrets out of text that came from elsewhere: servers and libraries may repeat what they were given. */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** Something that must never be shown. A word as short as seven letters is no secret, and would garble messages. */
  add(secret: string): void {
    if (secret.length < 8) return;
    this.#secrets.add(secret);
    // A key is often repeated with its line breaks escaped.
    this.#secrets.add(JSON.stringify(secret).slice(1, -1));
  }

  /** One line of bearable length without secrets or control characters. */
  clean(text: string): string {
    const line = this.#without(text)
      .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
      .trim();
    return line.length > 400 ? `${line.slice(0, 400)}…` : line;
  }

  #without(text: string): string {
    let rest = text;
    for (const secret of this.#secrets) rest = rest.replaceAll(secret, '(secret)');
    return rest;
  }
}
