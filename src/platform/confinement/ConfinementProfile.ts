// Describes what a confined process may read and use (decisions P9), however it is started.

/** Needs of one kind of process. */
export interface ConfinementProfile {
  readonly name: string
  /** Files and folders that it may read, libraries included. */
  readonly read: ReadonlyArray<string>
  /** Size of a private folder for temporary files; with it come the harmless devices. */
  readonly scratchMiB: number
  /** True if it makes namespaces of its own, as a browser's sandbox does. */
  readonly nests: boolean
  readonly processes: number
  readonly files: number
  readonly fileBytes: number
  readonly dataBytes: number
}
