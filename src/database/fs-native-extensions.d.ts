// The one function that is used of a library without types.
declare module 'fs-native-extensions' {
  /** Takes the exclusive lock of some bytes of an open file; false when somebody else has it. The system drops it with the file's last descriptor. */
  export function tryLock(descriptor: number, offset: number, length: number): boolean;
}
