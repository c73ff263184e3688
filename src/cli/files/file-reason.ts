import { errorCode } from '@platform-sync/core/model/diagnostic';
import { ownMember } from '@platform-sync/core/model/value';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'access was denied',
  EPERM: 'access was denied',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
};

/** Why the system would not read or write a file, as the end of a sentence. */
export function fileReason(error: unknown): string {
  const code = errorCode(error) ?? 'unknown reason';
  return ownMember(words, code) ?? code;
}
