// Places of which there are few, given to owners (organizations) in turn (decisions A22): one alone may use all of them,
// whoever holds none finds one in the reserve, and who waits is served before those who hold more.
import { Effect, Schema } from "effect"

/** So many of this owner wait already that one more is refused at once. */
export class PlacesFull extends Schema.TaggedError<PlacesFull>()("PlacesFull", {}) {}

export interface FairPlacesOptions {
  /** What one owner may hold, and all together while each holds one at most from the reserve. */
  readonly places: number
  /** Further places, only for owners that hold none. */
  readonly reserve: number
  /** How many of one owner may wait in `tryUse`; without it any number. */
  readonly waiting?: number
}

/** An owner is an organization's id, or a key of another kind (a source address, `installation`). */
export type Owner = number | string

export interface FairPlaces {
  /** Waits for its turn, however long; the place goes back when the effect ends, however it ends. */
  readonly use: (owner: Owner) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The same, refused at once when too many of this owner wait. */
  readonly tryUse: (owner: Owner) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | PlacesFull, R>
  /** What gauges show. */
  readonly state: () => { readonly taken: number; readonly waiting: number; readonly owners: number }
}

interface Line {
  held: number
  /** The turn in which it was served last; 0 for never. */
  served: number
  readonly waiting: Array<() => void>
}

export const makeFairPlaces = ({ places, reserve, waiting: most = Infinity }: FairPlacesOptions): FairPlaces => {
  /** Owners that hold or wait. */
  const lines = new Map<Owner, Line>()
  let turn = 0
  let taken = 0
  let waiting = 0

  const lineOf = (owner: Owner): Line => {
    const known = lines.get(owner)
    if (known !== undefined) return known
    const made: Line = { held: 0, served: 0, waiting: [] }
    lines.set(owner, made)
    return made
  }
  const free = (line: Line) => taken < (line.held === 0 ? places + reserve : places)
  const take = (line: Line) => {
    line.held++
    line.served = ++turn
    taken++
  }

  /** Who is next: of those that wait, who holds the fewest; among equals the one served longest ago. */
  const next = (): Line | undefined => {
    let found: Line | undefined
    for (const line of lines.values())
      if (
        line.waiting.length > 0 &&
        (found === undefined || line.held < found.held || (line.held === found.held && line.served < found.served))
      )
        found = line
    return found
  }

  const release = (owner: Owner, line: Line) => {
    line.held--
    taken--
    for (let served = next(); served !== undefined && free(served); served = next()) {
      waiting--
      take(served)
      served.waiting.shift()!()
    }
    if (line.held === 0 && line.waiting.length === 0) lines.delete(owner)
  }

  const enter = (owner: Owner): Effect.Effect<Line> =>
    Effect.callback((resume) => {
      const line = lineOf(owner)
      if (line.waiting.length === 0 && free(line)) {
        take(line)
        return resume(Effect.succeed(line))
      }
      const served = () => resume(Effect.succeed(line))
      line.waiting.push(served)
      waiting++
      return Effect.sync(() => {
        const at = line.waiting.indexOf(served)
        // Served in the instant in which it was interrupted: the place goes back.
        if (at < 0) return release(owner, line)
        line.waiting.splice(at, 1)
        waiting--
        if (line.held === 0 && line.waiting.length === 0) lines.delete(owner)
      })
    })

  const use =
    (owner: Owner) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        Effect.interruptible(enter(owner)),
        () => effect,
        (line) => Effect.sync(() => release(owner, line))
      )

  return {
    use,
    tryUse: (owner) => (effect) =>
      Effect.suspend(
        (): Effect.Effect<
          Effect.Success<typeof effect>,
          Effect.Error<typeof effect> | PlacesFull,
          Effect.Services<typeof effect>
        > => {
          const line = lines.get(owner)
          return line !== undefined && line.waiting.length >= most ? Effect.fail(new PlacesFull()) : use(owner)(effect)
        }
      ),
    state: () => ({ taken, waiting, owners: lines.size })
  }
}
