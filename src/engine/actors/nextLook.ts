// When an activation claims next (docs/architecture/flow.md, "One flow").

/** Instants in milliseconds. */
export interface NextLook {
  /** The next claim is worth it. */
  at: number
  /** Earliest instant that the kind has announced since the last claim. */
  told: number
}

/** Postpones the next claim before one begins: what arrives meanwhile brings it forward again. */
export const putOff = (nextLook: NextLook, from: number, millis: number): void => {
  nextLook.at = from + millis
  nextLook.told = Number.POSITIVE_INFINITY
}
