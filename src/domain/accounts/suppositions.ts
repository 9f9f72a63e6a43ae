// Who makes one change after another is supposed to be who it was the last time, and the statement that makes the change holds that it still
// is so (developer-api.md 1.7; decisions O14): a way to the database less. What no statement has held counts for nothing, whatever it would
// have answered: the request begins anew, with the credential looked up.
import type { Statement } from "effect/sql"

/** What the look-up of a credential is given, and what it found. */
export interface SupposedValues {
  readonly supposed_hash: string
  readonly supposed_resource: number
  readonly supposed_seen: string
}

export interface Supposition {
  /**
   * Body of a CTE: a row while the look-up of the credential finds what it is supposed to find. One fragment for all suppositions of a
   * kind, with slots in the place of `values`.
   */
  readonly holds: Statement.Fragment
  readonly values: SupposedValues
  /** No statement has held it, and none may have: nothing has been changed. */
  readonly open: () => boolean
  /** Before a statement that holds it; what becomes of one that fails may be unknown. */
  readonly asked: () => void
  readonly answered: (held: boolean) => void
  /** What is done for who has been found. */
  readonly onceHeld: (done: () => void) => void
}

/** The request begins anew: a defect, for whoever made the supposition alone. */
export class NotAsSupposed extends Error {
  override readonly name = "NotAsSupposed"
}

export const suppose = (holds: Statement.Fragment, values: SupposedValues): Supposition => {
  let open = true
  const waiting: Array<() => void> = []
  return {
    holds,
    values,
    open: () => open,
    asked: () => {
      open = false
    },
    answered: (held) => {
      open = !held
      if (held) for (const done of waiting.splice(0)) done()
    },
    onceHeld: (done) => {
      waiting.push(done)
    }
  }
}

/** At once for who has been looked up. */
export const onceFound = (
  { supposition }: { readonly supposition?: Supposition | undefined },
  done: () => void
): void => (supposition === undefined ? done() : supposition.onceHeld(done))
