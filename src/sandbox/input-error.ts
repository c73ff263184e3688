/** The sandbox was asked to start with something it can't use; the message says what. */
export class SandboxInputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SandboxInputError';
  }
}
