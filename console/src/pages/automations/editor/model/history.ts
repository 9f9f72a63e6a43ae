// History of edits for undo and redo. Consecutive edits of one thing (typing into a field) are undone together.

export interface History<A> {
  readonly past: ReadonlyArray<A>
  readonly present: A
  readonly future: ReadonlyArray<A>
  /** Key of the thing that the last edit changed. */
  readonly of: string | undefined
}

const KEPT = 200

export const begun = <A>(present: A): History<A> => ({ past: [], present, future: [], of: undefined })

export const edited = <A>({ future, of: last, past, present }: History<A>, next: A, of?: string): History<A> =>
  next === present
    ? { past, present, future, of: last }
    : of !== undefined && of === last
      ? { past, present: next, future: [], of }
      : { past: [...past, present].slice(-KEPT), present: next, future: [], of }

export const undone = <A>(history: History<A>): History<A> => {
  const { future, past, present } = history
  return past.length === 0
    ? history
    : { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future], of: undefined }
}

export const redone = <A>(history: History<A>): History<A> => {
  const [next, ...future] = history.future
  return next === undefined
    ? history
    : { past: [...history.past, history.present], present: next, future, of: undefined }
}

/** The present as the service has kept it: nothing to undo. */
export const settled = <A>(history: History<A>, present: A): History<A> => ({ ...history, present, of: undefined })
