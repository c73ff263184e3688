interface Closable {
  close(): Promise<void>;
}

/**
 * Closes what was opened; what could not be opened needs no closing. `isHasty`: what is still being opened is closed when it
 * is there, and nobody waits for it.
 */
export async function closeAll(opening: readonly Promise<Closable>[], isHasty: boolean): Promise<void> {
  await Promise.all(
    opening.map(async (each) => {
      const closed = each.then(
        (opened) => opened.close(),
        () => undefined,
      );
      const first = isHasty ? await Promise.race([each, 'opening']).catch(() => 'failed') : 'waited for';
      if (first === 'opening') closed.catch(() => undefined);
      else await closed;
    }),
  );
}
