import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { builtChild } from '../harness/built.js';
import type { ChildCheck, ChildMessage, ChildOrder, ChildResult } from './child-order.js';

const file = await builtChild(fileURLToPath(new URL('apply-child.ts', import.meta.url)));

/** How a child ended. `result` only when it got to its end. */
export interface ChildEnd {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly result?: ChildResult;
  readonly check?: ChildCheck;
  /** What it wrote to stderr. */
  readonly errors: string;
}

/** A process that applies a project. */
export interface Child {
  readonly process: ChildProcess;
  /** Resolves when it has said so for the n-th time (1 unless given); rejects when it ended before. */
  readonly said: <Type extends ChildMessage['type']>(
    type: Type,
    nth?: number,
  ) => Promise<Extract<ChildMessage, { readonly type: Type }>>;
  readonly ended: Promise<ChildEnd>;
}

/** `env`: over that of this process. */
export function startChild(order: ChildOrder, env: Readonly<Record<string, string>> = {}): Child {
  const child = fork(file, [JSON.stringify(order)], {
    execArgv: [],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const messages: ChildMessage[] = [];
  const listeners = new Set<() => void>();
  let errors = '';
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()));
  child.on('message', (message) => {
    messages.push(message as ChildMessage);
    listeners.forEach((listener) => listener());
  });
  const said: Child['said'] = (type, nth = 1) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = messages.filter((message) => message.type === type)[nth - 1];
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found as Extract<ChildMessage, { readonly type: typeof type }>);
      };
      listeners.add(look);
      void ended.then(() => reject(new Error(`the child ended before it said ${type}: ${errors}`)));
      look();
    });
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once('close', (code, signal) => {
      const result = messages.find((message) => message.type === 'ended');
      const check = messages.find((message) => message.type === 'checked');
      resolve({
        signal,
        code,
        errors,
        ...(result === undefined ? {} : { result }),
        ...(check === undefined ? {} : { check }),
      });
    });
  });
  return { process: child, said, ended };
}
