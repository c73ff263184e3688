import type { OpenOptions } from '@platform-sync/engine/api';

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: object;
}

/** What this process asks the one that started it, in place of a database: it has no way there. */
export async function handedOptions(what: string): Promise<Pick<OpenOptions, 'openState' | 'sharedRate'>> {
  const { askedOf } = await import('@platform-sync/engine/use-cases/proposal');
  asking ??= askStarter();
  return askedOf(asking, what.includes('rate'));
}

let asking: ReturnType<typeof askStarter> | undefined;

/** Rejects with an error that has the members of the starter's. When that process is gone, so is this one: it would work for nobody. */
function askStarter(): (question: unknown) => Promise<unknown> {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  process.on('message', (message) => {
    if (isAnswer(message)) waiting.get(message.id)?.(message);
  });
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
  return (question) =>
    new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      process.channel?.ref();
      waiting.set(id, ({ value, error }) => {
        waiting.delete(id);
        if (waiting.size === 0) process.channel?.unref();
        if (error === undefined) resolve(value);
        else reject(Object.assign(new Error(), error));
      });
      process.send?.({ id, question });
    });
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'id' in message && typeof message.id === 'number';
}
