// Types of the one function used of a library without types.
declare module 'fs-native-extensions' {
  /** Locks some bytes of an open file exclusively; false when another open file has the lock. The system releases it with the last descriptor of the file. */
  export function tryLock(descriptor: number, offset: number, length: number): boolean;
}
